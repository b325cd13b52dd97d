import { readFileSync } from "node:fs";
import type { RedisClient } from "./connect.ts";

const TAKE = readFileSync(new URL("./take-lease.lua", import.meta.url), "utf8");
const END = readFileSync(new URL("./end-lease.lua", import.meta.url), "utf8");

/** `holder`: a name. One that begins with a number and a colon takes the lease from a holder with a lower number, or with none. */
type Lease = { redis: RedisClient; key: string; holder: string };

/** Takes or renews a lease for `ms`. False while another holder has it. If Redis loses its data, two holders may have the same lease. */
export async function takeLease({ redis, key, holder }: Lease, ms: number): Promise<boolean> {
  return (await redis.eval(TAKE, 1, key, holder, ms)) === 1;
}

/** Whether anybody has the lease. */
export async function isLeased({ redis, key }: Pick<Lease, "redis" | "key">): Promise<boolean> {
  return (await redis.exists(key)) === 1;
}

/** Ends a lease, if the holder still has it. Rejects without Redis: then it ends by itself. */
export async function endLease({ redis, key, holder }: Lease): Promise<void> {
  await redis.eval(END, 1, key, holder);
}
