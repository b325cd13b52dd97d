import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@elastic/elasticsearch";
import { type AccountStore, createAccountStore, type KeyRecord } from "@tranche/shared/accounts/account-store";
import { createHotCopies } from "@tranche/shared/accounts/hot-copies";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { createQueueConnection } from "@tranche/shared/protocol/queue/connection";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { createService, type Service } from "../support/service.ts";
import type { DrillContext, Outcome } from "./drill.ts";
import type { Question } from "./load.ts";

export type CallersOptions = {
  processes: number;
  /** Plans of this drill alone, by their ids. */
  plans: Record<string, { burst: number; quota: number }>;
  env?: NodeJS.ProcessEnv;
  /** Where the API is to reach Redis by another way, such as a proxy. */
  redisUrl?: string;
};

/** The API with several processes behind one port, and accounts that call it. */
export type Callers = {
  service: Service;
  /** The process that supervises the others. */
  api: ChildProcess;
  accounts: AccountStore;
  redis: RedisClient;
  client: Client;
  /** A new account with a key. `path` is what it will ask for. */
  caller(plan: string, path?: string): Promise<Question & { account: string; record: KeyRecord }>;
  /** How many requests of an account count in its last 60 seconds, as Redis knows them since the last one. */
  burstUsed(account: string): Promise<number>;
  /** How much of its month an account has used, as Redis counts it. */
  monthUsed(account: string): Promise<number>;
  /** All that the API has logged. */
  log(): string;
};

/** The cheapest page: the drill measures which callers get it. */
const PATH = "/funding?limit=1";

/** Runs work with an API that is stopped afterwards; its log is reported when the work throws. */
export async function withCallers(
  { engines, say }: DrillContext,
  options: CallersOptions,
  work: (callers: Callers) => Promise<Outcome>,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "tranche-drill-"));
  const plansFile = join(folder, "plans.json");
  const plans = Object.entries(options.plans).map(([id, limits]) => [id, { name: id, max_limit: 50, ...limits }]);
  await writeFile(plansFile, JSON.stringify(Object.fromEntries(plans)));
  let printed = "";
  const service = createService(
    { elasticsearchUrl: engines.elasticsearch.url, redisUrl: options.redisUrl ?? engines.redis.url },
    {
      env: { TRANCHE_PLANS_FILE: plansFile, TRANCHE_API_PROCESSES: String(options.processes), ...options.env },
      onOutput: (text) => (printed += text),
    },
  );
  const client = createSearchClient({ url: engines.elasticsearch.url }, { connections: 4, requestTimeoutMs: 30_000 });
  const redis = createQueueConnection(engines.redis.url, "drill");
  redis.on("error", () => {});
  const accounts = createAccountStore(client, indexNames(service.namespace), {
    actor: "drill",
    copies: createHotCopies(redis, service.namespace),
  });
  try {
    const api = await service.startApi();
    say(`an API of ${options.processes} processes listens`);
    const origin = new URL(service.base).origin;
    return await work({
      service,
      api,
      accounts,
      redis,
      client,
      async caller(plan, path = PATH) {
        const { account } = await accounts.createAccount({ name: "Drill", plan });
        return { origin, path, account, ...(await accounts.createKey({ account, name: "drill" })) };
      },
      async burstUsed(account) {
        return Number(await redis.hget(accountRedisKeys(service.namespace, account).burst, "total"));
      },
      async monthUsed(account) {
        return Number(await redis.hget(accountRedisKeys(service.namespace, account).month, "used"));
      },
      log: () => printed,
    });
  } catch (error) {
    say(`the end of the API's log:\n${printed.slice(-5000)}`);
    throw error;
  } finally {
    await service.stop();
    await client.close();
    redis.disconnect();
    await rm(folder, { recursive: true });
  }
}
