import type { HotCopies } from "@tranche/shared/accounts/hot-copies";
import type { MonthCountBackup } from "@tranche/shared/accounts/month-count-backup";
import { unauthorized } from "../errors/api-error.ts";
import type { NodeState } from "../redis/gateway.ts";
import type { BadKeys } from "./bad-keys.ts";
import type { ReadCaller } from "./caller-reader.ts";
import type { CallerRequest } from "./charge.ts";
import type { Credentials } from "./credentials.ts";
import type { KeyLookUp } from "./key-look-ups.ts";
import type { KnownCallers } from "./known-callers.ts";

/**
 * Copies a key and its account from Elasticsearch to Redis. Redis admits requests by these copies. Throws the refusal when there is no such
 * key. Where its IP address has sent too many bad keys, the key is looked up in a batch with others first.
 */
export type CopyCaller = (request: CallerRequest, credentials: Credentials) => Promise<void>;

export function createCopyCaller(parts: {
  copies: Pick<HotCopies, "keep">;
  months: Pick<MonthCountBackup, "restore">;
  nodeStateOfAccount: (handle: string) => Pick<NodeState, "withTimeout">;
  readCaller: ReadCaller;
  known: Pick<KnownCallers, "has">;
  badKeys: BadKeys;
  exists: KeyLookUp;
}): CopyCaller {
  const { copies, months, nodeStateOfAccount, readCaller, known, badKeys, exists } = parts;
  const mayExist = async ({ ip }: CallerRequest, { hash }: Credentials) =>
    known.has(hash) || !(await badKeys.hasTooMany(ip)) || (await exists(hash, ip));
  return async (request, credentials) => {
    const caller = (await mayExist(request, credentials)) ? await readCaller(credentials) : undefined;
    if (!caller) {
      badKeys.noteUnknown(credentials.hash);
      throw unauthorized("No such API key.");
    }
    // The copy may be missing because Redis lost its data, and the month with it.
    const restored = caller.month && months.restore(caller.month);
    await nodeStateOfAccount(credentials.handle).withTimeout(Promise.all([copies.keep(caller), restored]));
  };
}
