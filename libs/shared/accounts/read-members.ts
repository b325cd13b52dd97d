import type { Client } from "@elastic/elasticsearch";
import { readAll } from "../engines/search/search-all.ts";
import type { Member } from "./member.ts";

/** The members that meet a condition, by address and account. `index`: the dashboard's. */
export function readMembers(client: Client, index: string, condition: object): Promise<Member[]> {
  const filter = [{ term: { kind: "member" } }, condition];
  return readAll<Member>(client, { index, query: { bool: { filter } }, sort: ["email", "account"], source: true });
}

/** The members of an account. */
export const membersOfAccount = (client: Client, index: string, account: string): Promise<Member[]> =>
  readMembers(client, index, { term: { account } });
