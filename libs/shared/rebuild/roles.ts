import type { Client, estypes } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS, type ReadModel, type Role, ROLES } from "../search/index-names.ts";
import { retryForever } from "../search/retry-forever.ts";

/** Which index has which role, of each read model. */
export type Roles = Record<ReadModel, Partial<Record<Role, string>>>;

/** Reads the roles now; an index holds each role at most once. Never cache it. */
export async function readRoles(client: Client, names: IndexNames): Promise<Roles> {
  const aliases = READ_MODELS.flatMap((model) => ROLES.map((role) => names.role(model, role)));
  const answer = await retryForever(() => client.indices.getAlias({ name: aliases }, { ignore: [404] }));
  const holders = new Map<string, string>();
  for (const [index, entry] of Object.entries(answer)) {
    // For an alias that no index has, the answer holds `error` and `status` beside the indices.
    if (typeof entry !== "object" || entry === null || !("aliases" in entry)) continue;
    for (const alias of Object.keys(entry.aliases)) {
      const other = holders.get(alias);
      if (other) throw new Error(`both ${other} and ${index} have the alias ${alias}; only one may`);
      holders.set(alias, index);
    }
  }
  const roles = READ_MODELS.map((model) => {
    const held = ROLES.flatMap((role) => {
      const index = holders.get(names.role(model, role));
      return index ? [[role, index] as const] : [];
    });
    return [model, Object.fromEntries(held)] as const;
  });
  return Object.fromEntries(roles) as Roles;
}

export type RoleChange = { model: ReadModel; role: Role; from?: string | undefined; to?: string | undefined };

/**
 * Moves roles between indices, all in one call or none: each role is removed from the expected index with `must_exist`, so a call with
 * outdated expectations is refused as a whole. Returns whether it succeeded.
 */
export async function moveRoles(client: Client, names: IndexNames, changes: readonly RoleChange[]): Promise<boolean> {
  const actions: estypes.IndicesUpdateAliasesAction[] = changes.flatMap(({ model, role, from, to }) => {
    const alias = names.role(model, role);
    return [
      ...(from ? [{ remove: { index: from, alias, must_exist: true } }] : []),
      ...(to ? [{ add: { index: to, alias } }] : []),
    ];
  });
  const wanted = (roles: Roles) => changes.every(({ model, role, to }) => roles[model][role] === to);
  try {
    const answer = (await client.indices.updateAliases({ actions })) as { acknowledged: boolean; errors?: boolean };
    if (answer.acknowledged && !answer.errors) return true;
  } catch (error) {
    const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
    if (status === 404 || status === 400) return false;
  }
  // The result is unknown, so the cluster state decides.
  return wanted(await readRoles(client, names));
}
