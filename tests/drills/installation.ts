import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "@elastic/elasticsearch";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { compareDocuments, expectedDocuments, searchableDocuments } from "../support/expected.ts";
import { deleteIndices } from "../support/namespace.ts";
import { openQueues, type Queues } from "../support/queues.ts";
import type { Launch } from "../support/launch.ts";
import { createService, type Service } from "../support/service.ts";
import type { DrillContext, Outcome } from "./drill.ts";
import { megabytesOf } from "./memory.ts";

export const NOW = "2025-06-15T12:00:00Z";

/** An installation under a namespace of its own on the engines of the drills. */
export type Installation = {
  service: Service;
  queues: Queues;
  client: Client;
  names: IndexNames;
  startIndexer(): Promise<void>;
  /** kill -9 */
  killIndexer(): Promise<void>;
  /** Asks it to end, and waits. */
  stopIndexer(): Promise<void>;
  /** Resident memory of the indexer, in MB; 0 when none runs. */
  indexerMegabytes(): Promise<number>;
  /** The last lines of the indexers' logs. */
  log(): string;
  close(): Promise<void>;
};

/** `elasticsearchUrl`: where the indexer is to reach the engine by another way, such as a proxy. `env`: settings of the apps. `launch`: how they start. */
export type InstallationOptions = { elasticsearchUrl?: string; env?: Record<string, string>; launch?: Launch };

export function install(context: DrillContext, options: InstallationOptions = {}): Installation {
  const { elasticsearch, redis, isShared } = context.engines;
  let printed = "";
  const service = createService(
    { elasticsearchUrl: options.elasticsearchUrl ?? elasticsearch.url, redisUrl: redis.url },
    {
      now: NOW,
      env: { ...context.env, ...options.env },
      ...(options.launch && { launch: options.launch }),
      onOutput: (text) => (printed = (printed + text).slice(-200_000)),
    },
  );
  const client = createSearchClient({ url: elasticsearch.url }, { connections: 8, requestTimeoutMs: 30_000 });
  const queues = openQueues(redis.url, service.namespace);
  let indexer: ChildProcess | undefined;
  const endIndexer = async (signal: "SIGKILL" | "SIGTERM") => {
    if (!indexer || indexer.exitCode !== null || indexer.signalCode !== null) return;
    indexer.kill(signal);
    await once(indexer, "exit");
  };
  return {
    service,
    queues,
    client,
    names: indexNames(service.namespace),
    async startIndexer() {
      indexer = await service.startIndexer();
    },
    killIndexer: () => endIndexer("SIGKILL"),
    stopIndexer: () => endIndexer("SIGTERM"),
    indexerMegabytes: () => megabytesOf(indexer),
    log: () => printed,
    async close() {
      await service.stop();
      await queues.close();
      await client.close();
      if (isShared) await deleteIndices(elasticsearch.url, service.namespace);
    },
  };
}

/** Runs work with an installation that is closed afterwards; the indexer's log is reported when it throws. */
export async function withInstallation(
  context: DrillContext,
  options: InstallationOptions,
  work: (installation: Installation) => Promise<Outcome>,
): Promise<Outcome> {
  const installation = install(context, options);
  try {
    await installation.startIndexer();
    return await work(installation);
  } catch (error) {
    context.say(`the end of the indexer's log:\n${installation.log().slice(-5000)}`);
    throw error;
  } finally {
    await installation.close();
  }
}

/** The handle of a new account. */
export async function newAccount(service: Service): Promise<string> {
  const made = await service.ops(["accounts", "create", "--name", "Drill", "--plan", "scale", "--json"]);
  return (JSON.parse(made.stdout) as { id: string }).id;
}

/** Waits until everything is done, and compares what readers find with what the writes have to give. */
export async function judge(
  context: DrillContext,
  installation: Installation,
  writes: readonly RecordWrite[],
  options: { withinMs: number; deadLetters?: number },
): Promise<Outcome> {
  const { queues, client, names, service } = installation;
  context.say(`waiting until ${await queues.open()} jobs are done`);
  await queues.investorsSettled(options.withinMs);
  context.say("comparing every document");
  const found = await searchableDocuments(client, names);
  const comparison = compareDocuments(expectedDocuments(writes, Date.parse(NOW)), found);
  const verified = JSON.parse((await service.ops(["verify", "--json"])).stdout) as {
    compared: number;
    differing: number;
  };
  const [letters, failed] = [await queues.letters(), await queues.failedJobs()];
  const differing = [...comparison.missing, ...comparison.extra, ...comparison.stale];
  if (differing.length > 0) context.say(`differing: ${differing.slice(0, 5).join(", ")}`);
  for (const reason of failed.slice(0, 5)) context.say(`failed: ${reason}`);
  return {
    checks: {
      "nothing lost": comparison.missing.length === 0,
      "nothing extra": comparison.extra.length === 0,
      "every document equals a fresh derivation": comparison.stale.length === 0 && verified.differing === 0,
      "dead letters as expected": letters.length === (options.deadLetters ?? 0),
      "no failed jobs": failed.length === 0,
    },
    figures: {
      writes: writes.length,
      documents: comparison.compared,
      missing: comparison.missing.length,
      extra: comparison.extra.length,
      stale: comparison.stale.length,
      verify_differing: verified.differing,
      dead_letters: letters.length,
      failed_jobs: failed.length,
    },
  };
}

/** Waits until `holds` says so; throws with `what` after `withinMs`. Returns after how many ms it did. */
export async function until(what: string, withinMs: number, holds: () => Promise<boolean>): Promise<number> {
  const start = Date.now();
  while (!(await holds())) {
    if (Date.now() - start > withinMs) throw new Error(`not within ${withinMs} ms: ${what}`);
    await pause(50);
  }
  return Date.now() - start;
}
