import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { request, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { IngestSummary } from "@tranche/intake/reading/summary";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Benchmark, goal } from "../benchmark.ts";
import { investorWrites, writesOf } from "../data/documents.ts";
import type { World } from "../data/world.ts";
import { emptyEnvironment, type Environment } from "../environment/environment.ts";
import { cpuSince, processMeter, readMeters } from "../environment/meters.ts";
import { runMeteredOps } from "../environment/ops.ts";
import { type Operators, startOperators } from "../environment/operators.ts";
import { usageOf } from "../environment/processes.ts";
import { shownCpu } from "../report/samples.ts";

/** Rows per second of measuring. No indexer runs, and the queue takes 200,000 records before a reader has to wait. */
const ROWS_A_SECOND = 4000;
const MOST_ROWS = 150_000;
const TURNS = 3;
const AT_ONCE = 20;
const LOOK_EVERY_MS = 100;

/** The same file read into the queue by `ops ingest` and by `POST /ingest`; then many uploads at once. */
export const uploads: Benchmark = {
  name: "uploads",
  about:
    "a file read into the queue by `ops ingest` and by an upload, in turns; then 20 uploads at once, with the memory of the process",
  async run(environment, options) {
    const count = Math.min(MOST_ROWS, Math.round(ROWS_A_SECOND * options.seconds));
    const file = join(environment.home, "uploads.ndjson");
    await writeRows(environment.world, file, count);
    const speeds: { ops: number[]; upload: number[] } = { ops: [], upload: [] };
    let cpu: { ops: Record<string, number>; upload: Record<string, number> } = { ops: {}, upload: {} };
    const { redis: Redis } = environment.meters;
    // The first turn of each does not count: code and engine still warm up.
    for (let turn = 0; turn <= TURNS; turn++) {
      const forOps = await emptyEnvironment(environment, "uploads");
      const beforeOps = await readMeters({ Redis });
      const { printed: ofOps, cpuMs } = await runMeteredOps<IngestSummary>(forOps, "ingest", file);
      const opsCpu = { ops: Math.round((1000 * cpuMs) / count), ...(await cpuSince(beforeOps, { Redis }, count)) };
      const empty = await emptyEnvironment(environment, "uploads");
      const operators = await startOperators(empty);
      const meters = { operators: processMeter(operators.process.pid), sender: processMeter(process.pid), Redis };
      const before = await readMeters(meters);
      const ofUpload = await upload(operators, file);
      cpu = { ops: opsCpu, upload: await cpuSince(before, meters, count) };
      await operators.process.stop();
      if (turn === 0) continue;
      speeds.ops.push(ofOps.rows.read / ofOps.seconds);
      speeds.upload.push(ofUpload.rows.read / ofUpload.seconds);
    }
    const many = await manyAtOnce(await emptyEnvironment(environment, "uploads"), Math.floor(count / AT_ONCE));

    const ratio = middle(speeds.upload) / middle(speeds.ops);
    return {
      ratio,
      figures: { rows: count, bytes: statSync(file).size, rows_per_second: speeds, cpu_us: cpu, at_once: many },
      table: {
        head: ["what", "rows", "rows/s", "CPU µs/row, last turn", "MiB above idle", "last to first"],
        rows: [
          ["ops ingest", count, Math.round(middle(speeds.ops)), shownCpu(cpu.ops), "", ""],
          ["POST /ingest", count, Math.round(middle(speeds.upload)), shownCpu(cpu.upload), "", ""],
          [
            `${AT_ONCE} uploads at once`,
            many.rows,
            Math.round(many.rows / many.seconds),
            "",
            Math.round(many.above_idle_mib),
            many.last_to_first.toFixed(2),
          ],
        ],
      },
      goals: [
        goal("rows/s of an upload, of `ops ingest`'s,", ratio, { least: 0.9 }),
        goal(`MiB above idle of ${AT_ONCE} uploads`, many.above_idle_mib, { most: 60 }),
        goal("seconds of the last of them, of the first's,", many.last_to_first, { most: 1.5 }),
      ],
    };
  },
};

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function writeRows(world: World, file: string, count: number): Promise<void> {
  function* lines() {
    let written = 0;
    for (const { type, id, body } of rowsOf(world)) {
      yield `${JSON.stringify({ type, id, ...body })}\n`;
      if (++written === count) return;
    }
  }
  await pipeline(lines(), createWriteStream(file));
}

function* rowsOf(world: World): Generator<RecordWrite> {
  yield* investorWrites(world, 1);
  for (const family of world.families()) yield* writesOf(family, 1);
}

async function upload({ origin, headers }: Operators, file: string): Promise<IngestSummary> {
  const sent = request(`${origin}/ingest`, { method: "POST", agent: false, headers });
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(file), sent);
  const [answer] = await answered;
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  if (answer.statusCode !== 202) throw new Error(`POST /ingest answered ${answer.statusCode}: ${text.slice(0, 500)}`);
  return JSON.parse(text) as IngestSummary;
}

/** Uploads of `count` rows each, together. */
async function manyAtOnce(environment: Environment, count: number) {
  const file = join(environment.home, "uploads-many.ndjson");
  await writeRows(environment.world, file, count);
  const operators = await startOperators(environment);
  const memory = async () => (await usageOf(operators.process.pid)).memoryMiB;
  await upload(operators, file);
  const idle = await memory();
  let peak = idle;
  const watch = setInterval(() => void memory().then((now) => (peak = Math.max(peak, now))), LOOK_EVERY_MS);
  const started = performance.now();
  const each = await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      await upload(operators, file);
      return (performance.now() - started) / 1000;
    }),
  );
  clearInterval(watch);
  await operators.process.stop();
  return {
    rows: AT_ONCE * count,
    seconds: Math.max(...each),
    last_to_first: Math.max(...each) / Math.min(...each),
    idle_mib: idle,
    above_idle_mib: peak - idle,
  };
}
