import { setTimeout as pause } from "node:timers/promises";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Options } from "../benchmark.ts";
import { type Api, startApi } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { type Indexer, startIndexer } from "../environment/indexer.ts";
import { cpuSince, processMeter, readMeters } from "../environment/meters.ts";
import { runOps } from "../environment/ops.ts";
import { usageOf } from "../environment/processes.ts";
import { untilMerged } from "../environment/segments.ts";
import { closedLoad } from "../load/closed.ts";
import { readExport } from "../load/read-export.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import { take } from "../requests/draws.ts";
import { measureFreshness } from "../writes/freshness.ts";
import { rebuild } from "../writes/rebuild.ts";
import { write } from "../writes/steadily.ts";
import { writtenAgain } from "../writes/written.ts";
import { kindsOf } from "./kinds.ts";

/** What is held to a bound when data grow tenfold: at most so many times of before, or at least such a part of it. */
type Bound = { most: number } | { least: number };
/** `cpu_us`: of Elasticsearch, for each request. */
export type Figure = { value: number; unit: string; cpu_us?: number; bound?: Bound };
/** What was found at one size, by what it is of. */
export type Figures = Record<string, Figure>;

/** Each kind of request is measured for this part of `--seconds`, which is meant for a benchmark with few targets. */
const PART = 0.2;
const CURSORS = 60;
const WRITES = 12;
const AGAIN = 20_000;

/** Measures requests one at a time, then writes and a rebuild, on the data of one size. */
export async function figuresAt(environment: Environment, options: Options): Promise<Figures> {
  await environment.load({ records: true });
  const figures: Figures = {};
  const begun = performance.now();
  const api = await startApi(environment);
  figures["API, start to ready"] = { value: (performance.now() - begun) / 1000, unit: "s" };
  Object.assign(figures, await requests(environment, api, options));
  figures["/funding/export"] = { ...(await exportRate(api)), bound: { least: 0.9 } };
  figures["API, memory"] = { value: (await usageOf(api.process.pid)).memoryMiB, unit: "MiB", bound: { most: 1.3 } };
  const indexer = await startIndexer(environment);
  Object.assign(figures, await writes(environment, { api, indexer }));
  figures["ops verify"] = await verifyRate(environment);
  await indexer.stop();
  await api.process.stop();
  return { ...figures, ...(await ofEngine(environment)) };
}

async function requests(environment: Environment, api: Api, { seconds, warmUpSeconds }: Options): Promise<Figures> {
  const headers = { authorization: `Bearer ${api.key}` };
  const read = async (path: string) => {
    const answer = await fetch(`${api.origin}/api/v1${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { pagination: { count: number; next_cursor: string } }).pagination;
  };
  const rounds = (await read("/funding?limit=1")).count;
  const companies = (await read("/companies?limit=1")).count;
  const cursors: string[] = [];
  for (let n = 0; n < CURSORS; n++)
    cursors.push((await read(`/funding?limit=1&offset=${Math.floor(rounds / 2) + 5 * n}`)).next_cursor);

  const meters = { API: processMeter(api.process.pid), ES: environment.meters.elasticsearch };
  const figures: Figures = {};
  for (const { name, held, next } of kindsOf(environment.world, {
    rounds,
    companies,
    cursors,
    seed: Date.now() % 1e6,
  })) {
    const target = {
      name,
      origin: api.origin,
      headers,
      meters,
      next: () => ({ method: "GET" as const, path: `/api/v1${next()}` }),
    };
    await closedLoad(target, createSample(name), { connections: 1, seconds: warmUpSeconds * PART });
    const sample = createSample(name);
    const before = await readMeters(meters);
    await closedLoad(target, sample, { connections: 1, seconds: seconds * PART });
    if (sample.failures.length > 0) throw new Error(sample.failures[0]);
    const { ES } = await cpuSince(before, meters, sample.requests);
    const bound = held ? { bound: { most: 2 } } : {};
    figures[name] = { value: figuresOf(sample).p50_ms, unit: "ms", cpu_us: ES!, ...bound };
  }
  return figures;
}

async function exportRate(api: Api): Promise<Figure> {
  const begun = performance.now();
  const rows = await readExport(api, "format=ndjson");
  return { value: rows / ((performance.now() - begun) / 1000), unit: "rows/s" };
}

/** `ops verify` from its start to its end. It fails when a document differs. */
async function verifyRate(environment: Environment): Promise<Figure> {
  const begun = performance.now();
  const { compared } = await runOps<{ compared: number }>(environment, "verify");
  return { value: compared / ((performance.now() - begun) / 1000), unit: "documents/s" };
}

async function writes(environment: Environment, { api, indexer }: { api: Api; indexer: Indexer }): Promise<Figures> {
  const { world } = environment;
  const sample = createSample("one write");
  for (let nth = 0; nth < WRITES; nth++) {
    await measureFreshness({ world, api, indexer }, sample, nth);
    await indexer.drained();
    // Writes that follow at once are combined.
    await pause(200);
  }
  const begun = performance.now();
  await write(indexer, take(AGAIN, writtenAgain(world, 1)));
  await indexer.drained();
  const perSecond = AGAIN / ((performance.now() - begun) / 1000);
  const rebuilt = await rebuild(environment, indexer);
  await untilMerged(environment.client);
  return {
    "one write until it is searchable": { value: figuresOf(sample).p50_ms, unit: "ms", bound: { most: 2 } },
    "records written again": { value: perSecond, unit: "records/s", bound: { least: 0.9 } },
    rebuild: { value: rebuilt.documents / rebuilt.seconds, unit: "documents/s", bound: { least: 0.9 } },
    "indexer, memory": { value: rebuilt.peakMiB, unit: "MiB", bound: { most: 1.3 } },
  };
}

async function ofEngine({ client, names }: Environment): Promise<Figures> {
  const { nodes } = await client.nodes.stats({ metric: "jvm" });
  const heap = Object.values(nodes).reduce((sum, node) => sum + (node.jvm?.mem?.heap_used_in_bytes ?? 0), 0);
  const { indices = {} } = await client.indices.stats({
    index: `${names.edges.replace(/edges$/, "")}*`,
    metric: ["store"],
  });
  const live = READ_MODELS.map((model) => names.role(model, "live"));
  const { _all } = await client.indices.stats({ index: live, metric: ["store"] });
  const bytes = Object.values(indices).reduce((sum, { primaries }) => sum + (primaries?.store?.size_in_bytes ?? 0), 0);
  return {
    "Elasticsearch, heap in use": { value: heap / 2 ** 20, unit: "MiB" },
    "live read models on disk": { value: (_all.primaries?.store?.size_in_bytes ?? 0) / 2 ** 20, unit: "MiB" },
    "everything on disk": { value: bytes / 2 ** 20, unit: "MiB" },
  };
}
