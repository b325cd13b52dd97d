import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { createMemberStore, type MemberStore } from "@tranche/shared/accounts/member-store";
import { operator } from "../context/operator.ts";
import type { Engines } from "../context/connect.ts";

/** Members, changed in the name of the user at the command line. */
export function memberStore({ client, names, redis, settings }: Engines): MemberStore {
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  return createMemberStore(client, names, { actor: operator(), copies });
}
