import type { AccountStore, Caller } from "@tranche/shared/accounts/account-store";
import { engineError } from "../errors/engine-error.ts";
import type { Credentials } from "./credentials.ts";

/** Reads a key and its account from Elasticsearch; undefined when the key does not exist. Throws an error reply such as `unavailable`. */
export type ReadCaller = (credentials: Credentials) => Promise<Caller | undefined>;

/** Concurrent reads of one key share one search. */
export function createCallerReader(accounts: Pick<AccountStore, "caller">): ReadCaller {
  const reads = new Map<string, Promise<Caller | undefined>>();
  const read = async ({ handle, hash }: Credentials): Promise<Caller | undefined> => {
    try {
      return await accounts.caller(handle, hash);
    } catch (error) {
      throw engineError(error);
    }
  };
  return (credentials) => {
    const { hash } = credentials;
    const running = reads.get(hash);
    if (running) return running;
    const fresh = read(credentials).finally(() => reads.delete(hash));
    reads.set(hash, fresh);
    return fresh;
  };
}
