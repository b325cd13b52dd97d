import { Redis } from "ioredis";

/** Redis' own `auto-aof-rewrite-min-size`: what is shorter is read in a moment. */
const LONG_BYTES = 64 * 1024 ** 2;

/**
 * Has a Redis that was just started write its append-only file anew if that is long; it serves meanwhile. By itself it does so once
 * the file has doubled since its start: for one that is started every day that day may never come, and each start takes longer.
 */
export async function shortenAppendOnlyFile(redisUrl: string, log: (line: string) => void): Promise<void> {
  const redis = new Redis(redisUrl);
  // A failure reports its reason itself.
  redis.on("error", () => {});
  try {
    const [, bytes] = /^aof_current_size:(\d+)/m.exec(await redis.info("persistence")) ?? [];
    if (Number(bytes) > LONG_BYTES) await redis.bgrewriteaof();
  } catch (error) {
    log(`Redis could not write its append-only file anew, which only gets longer: ${(error as Error).message}`);
  } finally {
    redis.disconnect();
  }
}
