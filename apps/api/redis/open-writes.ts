import { generationKey } from "@tranche/shared/protocol/generations/generation";
import { openSinceKey, secondsOpen } from "@tranche/shared/protocol/queue/open-writes";
import type { RedisGateway } from "./gateway.ts";
import { orNone } from "./unless-away.ts";

/** How far lists lag behind what was accepted, and when investors were last published: their documents have no tickets of changes. */
export type Publishing = { delaySeconds: number; investorsChangedAt: string | null };

/** Reads it; undefined while Redis is away. */
export function createReadPublishing(
  { redis, nodeStateOf }: Pick<RedisGateway, "redis" | "nodeStateOf">,
  namespace: string,
): () => Promise<Publishing | undefined> {
  const keys = [openSinceKey(namespace), generationKey(namespace, "investors")] as const;
  return async () => {
    const { withTimeout, outage } = nodeStateOf(keys[0]);
    const found = await orNone(outage, () => withTimeout(redis.mget(...keys)));
    if (!found) return undefined;
    const [since, generation] = found as [string | null, string | null];
    return {
      delaySeconds: secondsOpen(since, Date.now()),
      investorsChangedAt: generation === null ? null : timeOfTicket(Number(generation)),
    };
  };
}

/** A ticket is in µs. */
export const timeOfTicket = (ticket: number): string => new Date(Math.floor(ticket / 1000)).toISOString();
