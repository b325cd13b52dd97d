import type { Cluster, Redis } from "ioredis";

/** As `RedisClient`. */
type Connection = Redis | Cluster;

/** Redis is asked again at least twice in this time while a command waits, so an older refusal is over. */
const REFUSES_FOR_MS = 2000;

/**
 * Whether Redis answered that it takes no writes now: its memory is full, it can't save, it lacks the replicas that it must have, it is a
 * replica, or a script of somebody else does not end. The command, also a script, has changed nothing: Redis refuses the first write of a
 * script or none.
 */
export const refusesWrites = ({ message }: Error): boolean =>
  /^BUSY |\b(OOM command not allowed|MISCONF|NOREPLICAS|READONLY)\b/.test(message);

/** Why Redis takes no writes, in words. `message`: that of such an answer. */
export function refusalText(message: string): string {
  if (message.includes("OOM ")) return "Redis takes no writes: its memory is full (maxmemory); give it more";
  if (message.includes("NOREPLICAS")) return "Redis takes no writes: it has fewer replicas than min-replicas-to-write";
  if (message.startsWith("BUSY ")) return "Redis takes no commands: a script does not end; SCRIPT KILL ends it";
  if (message.includes("READONLY")) return "Redis takes no writes: it is a replica";
  return `Redis takes no writes: it can't save its data (${message})`;
}

/** Event of a connection that waits: Redis refused a write, with the error. */
export const REFUSED = "refused";

const refusedAt = new WeakMap<Connection, number>();

/** Remembers a refused write, and tells those who listen to `REFUSED`. */
export function noteRefusal(redis: Connection, error: Error): void {
  const isNew = !isRefusing(redis);
  refusedAt.set(redis, performance.now());
  if (isNew) redis.emit(REFUSED, error);
}

/** Whether Redis has just refused a write of this connection, which waits until it is taken. */
export const isRefusing = (redis: Connection): boolean =>
  performance.now() - (refusedAt.get(redis) ?? -Infinity) < REFUSES_FOR_MS;
