import { type AccountStore, createAccountStore } from "@tranche/shared/accounts/account-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import type { Engines } from "../context/connect.ts";
import { operator } from "../context/operator.ts";

/** The accounts of an installation, changed in the name of the user at the command line. */
export function accountStore({ client, names, redis, settings }: Engines): AccountStore {
  const copies = createHotCopies(redis, settings.TRANCHE_NAMESPACE);
  return createAccountStore(client, names, { actor: operator(), copies });
}
