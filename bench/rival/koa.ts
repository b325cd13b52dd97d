import { readFileSync } from "node:fs";
import { Redis } from "ioredis";
import Koa from "koa";

/**
 * What a Koa service that knows each caller costs at least: one script in Redis, and an answer that is already there.
 * Arguments: Redis address, port, file with the bytes of the answer.
 */
const [redisUrl, port, file] = process.argv.slice(2) as [string, string, string];
const body = readFileSync(file);
const redis = new Redis(redisUrl) as Redis & { countOne(key: string): Promise<number> };
redis.defineCommand("countOne", { numberOfKeys: 1, lua: readFileSync(new URL("count.lua", import.meta.url), "utf8") });

const app = new Koa();
app.use(async (ctx) => {
  await redis.countOne("bench-rival");
  ctx.type = "application/json; charset=utf-8";
  ctx.body = body;
});
app.listen(Number(port), "127.0.0.1");

const end = () => process.exit(0);
process.on("SIGTERM", end);
process.on("disconnect", end);
