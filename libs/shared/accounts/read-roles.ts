import type { Client } from "@elastic/elasticsearch";
import { rolesId } from "./membership.ts";
import { membersOfAccount } from "./read-members.ts";
import type { Roles } from "./role.ts";

type RolesDocument = { kind: "roles"; account: string; roles: Roles };

/** The roles of an account in real time; undefined where all members are admins. `index`: the dashboard's. */
export async function storedRoles(client: Client, index: string, account: string): Promise<Roles | undefined> {
  const found = await client.get<RolesDocument>({ index, id: rolesId(account) }, { ignore: [404] });
  return found._source?.roles;
}

/**
 * Reads the roles of an account, to change them: `replaceWith` is the operation that does, unless somebody else was faster. Where there are none, they are
 * made first, with all members as admins, so that whoever is added from then on has a role of their own.
 */
export async function readRoles(
  client: Client,
  index: string,
  account: string,
): Promise<{ roles: Roles; replaceWith: (next: Roles) => object[] }> {
  const id = rolesId(account);
  const document = (roles: Roles): RolesDocument => ({ kind: "roles", account, roles });
  const read = () => client.get<RolesDocument>({ index, id }, { ignore: [404] });
  let found = await read();
  if (!found.found) {
    const members = await membersOfAccount(client, index, account);
    const first = document(Object.fromEntries(members.map(({ email }) => [email, "admin"])));
    await client.index({ index, id, document: first, op_type: "create", refresh: true }, { ignore: [409] });
    found = await read();
  }
  const guard = { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! };
  return {
    roles: found._source!.roles,
    replaceWith: (next) => [{ index: { _index: index, _id: id, ...guard } }, document(next)],
  };
}
