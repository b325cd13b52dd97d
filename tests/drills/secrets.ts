import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import { newApiKey, newHandle } from "@tranche/shared/accounts/api-key";
import { mastersOf } from "@tranche/shared/engines/redis/nodes";
import type { Redis } from "ioredis";
import { company, round } from "../support/writes.ts";
import { openQueues } from "../support/queues.ts";
import { type Callers, withCallers } from "./callers.ts";
import type { Drill } from "./drill.ts";
import { startRedisWire } from "./redis-wire.ts";

/** From here on nobody can guess it. */
const SECRET_AT = "trn_12345678_".length;

/** Counts and last uses are written some seconds after the requests. */
const WRITTEN_WITHIN_MS = 7000;

export const secrets: Drill = {
  name: "secrets",
  about:
    "everything run with all logging on, keys used well and badly; raw keys are looked for in logs, Redis and Elasticsearch",
  async run(context) {
    const { engines, say } = context;
    const wire = await startRedisWire(engines.redis.url);
    const plans = { roomy: { burst: 100_000, quota: 100_000 }, tight: { burst: 2, quota: 1 } };
    const env = { TRANCHE_LOG_LEVEL: "trace", TRANCHE_TRUSTED_PROXIES: "1" };
    try {
      return await withCallers(context, { processes: 2, plans, env, redisUrl: wire.url }, async (callers) => {
        const { service, redis, client } = callers;
        await service.startIndexer();
        const queues = openQueues(engines.redis.url, service.namespace);
        await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
        await queues.settled();
        await queues.close();

        const { keys, printed, shown } = await keysOfOperators(callers);
        const wrong = Array.from({ length: 5 }, () => newApiKey(newHandle()));
        const answers: string[] = [];
        for (const key of [...keys, ...wrong]) answers.push(await useAndAbuse(callers, key));
        say(`${keys.length + wrong.length} keys were used; Redis is cut off`);
        for (let n = 0; n < 3; n++) {
          const cut = wire.cut();
          await Promise.all([cut, useAndAbuse(callers, keys[0]!), pause(300)]);
        }
        await pause(WRITTEN_WITHIN_MS);

        const places: Record<string, string> = {
          "logs of all processes": callers.log(),
          "what operators' commands print beside the key that they make": printed,
          Redis: await allOfRedis(mastersOf(redis)[0]!, service.namespace),
          Elasticsearch: await allOfElasticsearch(client, service.namespace),
          answers: answers.join("\n"),
        };
        const secret = [...keys, ...wrong].map((key) => key.slice(SECRET_AT));
        const found = Object.entries(places).map(([place, text]) => {
          const hits = secret.filter((each) => text.includes(each)).length;
          if (hits > 0) say(`${hits} keys are in ${place}`);
          return [place, hits] as const;
        });
        const bytes = Object.fromEntries(Object.entries(places).map(([place, text]) => [place, text.length]));
        return {
          checks: {
            ...Object.fromEntries(found.map(([place, hits]) => [`no key in ${place}`, hits === 0])),
            "a new key is shown once": shown,
            "there was something to look through":
              Object.values(places).every((text) => text.length > 200) &&
              places["Redis"]!.includes(":key:") &&
              places["Elasticsearch"]!.includes("key_hash") &&
              callers.log().includes('"msg":"request"'),
          },
          figures: {
            keys: secret.length,
            found: found.reduce((sum, [, hits]) => sum + hits, 0),
            looked_through_bytes: bytes,
          },
        };
      });
    } finally {
      await wire.close();
    }
  },
};

/** Keys as operators make them, and the output of their commands without the one key that each has to show. */
async function keysOfOperators({ service }: Callers) {
  const keys: string[] = [];
  let printed = "";
  let shown = true;
  const run = async (...args: string[]) => {
    const { stdout, stderr } = await service.ops(args);
    const made = /trn_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}/.exec(stdout)?.[0];
    if (made) keys.push(made);
    const rest = made ? stdout.replace(made, "") : stdout;
    if (made && rest.includes(made)) shown = false;
    printed += rest + stderr;
    return stdout;
  };
  const made = await run("accounts", "create", "--name", "Secret", "--plan", "roomy", "--json");
  const { id } = JSON.parse(made) as { id: string };
  await run("accounts", "create", "--name", "Tight", "--plan", "tight", "--json");
  await run("keys", "create", "--account", id, "--name", "second");
  await run("keys", "list", "--account", id);
  await run("audit", "--json");
  return { keys, printed, shown: shown && keys.length === 3 };
}

/** A key where it belongs, and where people put it by mistake. Returns all that was answered. */
async function useAndAbuse({ service: { base } }: Callers, key: string): Promise<string> {
  const right = { authorization: `Bearer ${key}` };
  const asked: [string, Record<string, string>][] = [
    ["/funding", right],
    ["/signals", right],
    ["/companies/co-1", right],
    ["/usage", right],
    ["/funding?limit=x", right],
    [`/funding?city=${key}`, right],
    [`/funding?api_key=${key}`, {}],
    [`/companies/${key}`, right],
    [`/${key}`, right],
    ["/funding", { authorization: key }],
    ["/funding", { authorization: `Basic ${key}` }],
    ["/funding", { authorization: `Bearer ${key}x` }],
    ["/funding", { authorization: `Bearer ${key.slice(0, -1)}` }],
    ["/funding", { ...right, "x-forwarded-for": key }],
    ["/funding", { ...right, "user-agent": key, referer: `https://a.example/?key=${key}` }],
    ["/funding", { ...right, "x-request-id": key }],
  ];
  let answered = "";
  for (const [path, headers] of asked) {
    const answer = await fetch(`${base}${path}`, { headers });
    // What callers wrote themselves into a parameter or an id comes back to them, and to nobody else.
    if (path.includes(key) || headers["x-request-id"]) await answer.text();
    else answered += `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}\n`;
  }
  return answered;
}

/** Every key of Redis that belongs to the installation, with its value. */
async function allOfRedis(redis: Redis, namespace: string): Promise<string> {
  const lines: string[] = [];
  for await (const names of redis.scanStream({ match: `*${namespace}*`, count: 1000 })) {
    for (const name of names as string[]) lines.push(`${name} ${JSON.stringify(await valueOf(redis, name))}`);
  }
  lines.push(JSON.stringify(await redis.slowlog("GET", "1000")));
  return lines.join("\n");
}

async function valueOf(redis: Redis, name: string): Promise<unknown> {
  const type = await redis.type(name);
  if (type === "hash") return redis.hgetall(name);
  if (type === "list") return redis.lrange(name, 0, -1);
  if (type === "set") return redis.smembers(name);
  if (type === "zset") return redis.zrange(name, "0", "-1");
  if (type === "stream") return redis.xrange(name, "-", "+");
  return redis.get(name);
}

/** Every document of the installation with its id. */
async function allOfElasticsearch(client: Client, namespace: string): Promise<string> {
  const index = `${namespace}*`;
  await client.indices.refresh({ index });
  const { hits } = await client.search({ index, size: 10_000, query: { match_all: {} } });
  return hits.hits.map((hit) => JSON.stringify(hit)).join("\n");
}
