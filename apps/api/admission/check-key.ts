import type { ApiError } from "../errors/api-error.ts";
import type { NodeState } from "../redis/gateway.ts";
import { unlessAway } from "../redis/unless-away.ts";
import type { BadKeys } from "./bad-keys.ts";
import { type CallerRequest, noteAccount } from "./charge.ts";
import type { CopyCaller } from "./copy-caller.ts";
import type { Counters } from "./counters.ts";
import type { Credentials } from "./credentials.ts";
import { faultyKey, lostCopy } from "./refusals.ts";

/** Checks that a key works, and counts nothing. Throws `unauthorized` when it does not, and `unavailable` while Redis is away. */
export type CheckKey = (request: CallerRequest, credentials: Credentials) => Promise<void>;

export function createCheckKey(parts: {
  counters: Pick<Counters, "decideAll">;
  copyToRedis: CopyCaller;
  nodeStateOfAccount: (handle: string) => Pick<NodeState, "outage">;
  badKeys: Pick<BadKeys, "refuse">;
}): CheckKey {
  const { counters, copyToRedis, nodeStateOfAccount, badKeys } = parts;
  // Without prices the script finds no plan, and ends after it has checked the key.
  const verdictOn = async (credentials: Credentials) => (await counters.decideAll(credentials, [], 1))[0]!.verdict;

  return async (request, credentials) => {
    const { outage } = nodeStateOfAccount(credentials.handle);
    try {
      const verdict = await unlessAway(outage, async () => {
        const first = await verdictOn(credentials);
        if (first !== "unknown") return first;
        await copyToRedis(request, credentials);
        return verdictOn(credentials);
      });
      if (verdict === "no_plan") return;
      if (verdict === "revoked" || verdict === "expired" || verdict === "suspended" || verdict === "deleted") {
        noteAccount(request, credentials.handle);
        throw faultyKey(verdict);
      }
      throw lostCopy();
    } catch (error) {
      if ((error as ApiError).code !== "unauthorized") throw error;
      throw await badKeys.refuse(request.ip, error as ApiError);
    }
  };
}
