import type { AccountStore, Caller } from "@tranche/shared/accounts/account-store";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import { engineError } from "../errors/engine-error.ts";
import type { Credentials } from "./credentials.ts";

/** Reads a key and its account from Elasticsearch; undefined when the key does not exist. Throws an error reply such as `unavailable`. */
export type ReadCaller = (credentials: Credentials) => Promise<Caller | undefined>;

/** Concurrent reads of one key share one search. */
export function createCallerReader(accounts: Pick<AccountStore, "caller">): ReadCaller {
  const share = shareByKey<Caller | undefined>();
  const read = async ({ handle, hash }: Credentials): Promise<Caller | undefined> => {
    try {
      return await accounts.caller(handle, hash);
    } catch (error) {
      throw engineError(error);
    }
  };
  return (credentials) => share(credentials.hash, () => read(credentials));
}
