import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { Redis } from "ioredis";
import Koa from "koa";
import { Pool } from "undici";

/**
 * The least cost of a Koa service that knows each caller: one script in Redis, and then a ready answer (GET, its position is the path),
 * or the search that was sent, passed on to Elasticsearch, and its answer's bytes passed back as they are (POST).
 * Arguments: Redis address, port, file with the answers as a JSON array of texts, address of Elasticsearch.
 */
const [redisUrl, port, file, elasticsearchUrl] = process.argv.slice(2) as [string, string, string, string];
const answers = (JSON.parse(readFileSync(file, "utf8")) as string[]).map((text) => Buffer.from(text));
const elasticsearch = new Pool(elasticsearchUrl, { connections: 32 });
const redis = new Redis(redisUrl) as Redis & { countOne(key: string): Promise<number> };
redis.defineCommand("countOne", { numberOfKeys: 1, lua: readFileSync(new URL("count.lua", import.meta.url), "utf8") });

const app = new Koa();
app.use(async (ctx) => {
  await redis.countOne("bench-baseline");
  ctx.type = "application/json; charset=utf-8";
  ctx.body = ctx.method === "POST" ? await passedOn(ctx) : (answers[Number(ctx.path.slice(1))] ?? "");
});
async function passedOn({ url, req }: Koa.Context): Promise<Buffer> {
  const { authorization, "content-type": type } = req.headers;
  const headers = { "content-type": type, ...(authorization ? { authorization } : {}) };
  const answer = await elasticsearch.request({ method: "POST", path: url, headers, body: await buffer(req) });
  return Buffer.from(await answer.body.arrayBuffer());
}
app.listen(Number(port), "127.0.0.1");

const end = () => process.exit(0);
process.on("SIGTERM", end);
process.on("disconnect", end);
