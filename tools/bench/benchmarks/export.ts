import { setTimeout as pause } from "node:timers/promises";
import { Client } from "undici";
import { EXPORT_LIMITS } from "../../../apps/api/exports/limits.ts";
import { exportPage } from "../../../apps/api/query/export.ts";
import { FUNDING_LIST } from "../../../apps/api/routes/lists.ts";
import { PAGE_PARTS } from "../../../apps/api/search/point-in-time.ts";
import { type Benchmark, goal } from "../benchmark.ts";
import { type Api, startApi } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { cpuSince, type Meters, processMeter, readMeters } from "../environment/meters.ts";
import { alternating } from "../load/interleaved.ts";
import { usageOf } from "../environment/processes.ts";
import { readExport } from "../load/read-export.ts";
import { shownCpu } from "../report/samples.ts";
import { engineAddress } from "../requests/targets.ts";

/** About how long one read takes, for the number of turns. */
const READ_SECONDS = 3;
const LOOK_EVERY_MS = 50;
/** How long the slow reader takes nothing. */
const SILENT_MS = 5000;

/** One way of reading all rows; resolves with their number. */
type Side = { name: string; read: () => Promise<number>; meters: Meters };
type Measured = { rows: number; seconds: number; cpuMs: Record<string, number> };

/**
 * Rows per second of an export against a bare client that reads the same pages of a point in time and drops them, in turns; and memory of
 * the API while it exports, also to a reader that pauses.
 */
export const exports: Benchmark = {
  name: "export",
  about: "rows/s of a whole export against a bare client that reads the same pages; memory of the API",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const idle = await idleMemory(api);
    const memory = watchMemory(api);
    const { meters } = environment;
    const ofApi: Meters = { API: processMeter(api.process.pid), ES: meters.elasticsearch };
    const sides: Side[] = [
      { name: "API, NDJSON", read: () => readExport(api, "format=ndjson"), meters: ofApi },
      { name: "bare read of the same pages", read: () => readPages(environment), meters: { ES: meters.elasticsearch } },
      { name: "API, NDJSON in gzip", read: () => readExport(api, "format=ndjson", "gzip"), meters: ofApi },
      { name: "API, CSV", read: () => readExport(api, "format=csv"), meters: ofApi },
    ];
    const turns = Math.max(3, Math.round(options.seconds / READ_SECONDS));
    const warm = Math.max(1, Math.round(options.warmUpSeconds / READ_SECONDS));
    for (let turn = 0; turn < warm; turn++) for (const side of sides) await side.read();
    const measured = sides.map((): Measured => ({ rows: 0, seconds: 0, cpuMs: {} }));
    for (const i of alternating([...sides.keys()], turns)) await measure(sides[i]!, measured[i]!);
    await readExport(api, "format=ndjson", "identity", SILENT_MS);
    const peak = await memory.stop();
    await api.process.stop();

    const rates = measured.map(({ rows, seconds }) => Math.round(rows / seconds));
    const ratio = rates[0]! / rates[1]!;
    const goals = [
      goal("rows/s of NDJSON against the bare read", ratio, { least: 0.8 }),
      goal("MiB above the idle API, at its peak,", peak - idle, { most: 50 }),
    ];
    const cpu = measured.map(({ rows, cpuMs }) =>
      Object.fromEntries(Object.entries(cpuMs).map(([name, ms]) => [name, Math.round((1000 * ms) / rows)])),
    );
    return {
      ratio,
      figures: {
        rows: measured[0]!.rows / turns,
        turns,
        rows_per_second: Object.fromEntries(sides.map(({ name }, i) => [name, rates[i]])),
        idle_mib: Math.round(idle),
        peak_mib: Math.round(peak),
      },
      table: {
        head: ["side", "rows/s", "CPU µs/row"],
        rows: sides.map(({ name }, i) => [name, rates[i]!, shownCpu(cpu[i]!)]),
      },
      goals,
    };
  },
};

async function measure({ read, meters }: Side, measured: Measured): Promise<void> {
  const before = await readMeters(meters);
  const start = performance.now();
  measured.rows += await read();
  measured.seconds += (performance.now() - start) / 1000;
  for (const [name, us] of Object.entries(await cpuSince(before, meters, 1))) {
    measured.cpuMs[name] = (measured.cpuMs[name] ?? 0) + us / 1000;
  }
}

/** Reads the pages that an export reads, over one connection. Of each answer only the place of the last row is taken. */
async function readPages(environment: Environment): Promise<number> {
  const { origin, headers } = engineAddress(environment);
  const client = new Client(origin);
  const send = async (method: "POST" | "DELETE", path: string, body: object | null) => {
    const reply = await client.request({ method, path, headers, body: body && JSON.stringify(body) });
    const bytes = Buffer.from(await reply.body.arrayBuffer());
    if (reply.statusCode !== 200) throw new Error(`${path}: ${reply.statusCode} ${bytes.toString().slice(0, 300)}`);
    return bytes;
  };
  const index = environment.names.role("funding", "live");
  const opened = await send("POST", `/${index}/_pit?keep_alive=2m`, null);
  const { id } = JSON.parse(opened.toString()) as { id: string };
  const path = `/_search?allow_partial_search_results=false&filter_path=${PAGE_PARTS.join(",")}`;
  const search = { filters: FUNDING_LIST.base, idField: FUNDING_LIST.idField, source: FUNDING_LIST.source };
  const size = EXPORT_LIMITS.pageRows;
  let rows = 0;
  let total = 0;
  let after: [string, number] | undefined;
  do {
    const body = { pit: { id, keep_alive: "2m" }, ...exportPage(search, size, after) };
    const bytes = await send("POST", path, body);
    if (!after) total = Number(/"total":\{"value":(\d+)/.exec(bytes.toString("latin1"))![1]);
    const end = bytes.subarray(-500).toString();
    after = JSON.parse(end.slice(end.lastIndexOf('"sort":') + '"sort":'.length, end.lastIndexOf("}]"))) as typeof after;
    rows += size;
  } while (rows < total);
  await send("DELETE", "/_pit", { id });
  await client.close();
  return total;
}

/** Memory in MiB before the first export. */
async function idleMemory({ origin, key, process }: Api): Promise<number> {
  for (let n = 0; n < 20; n++) {
    const answer = await fetch(`${origin}/api/v1/funding?offset=${n}`, { headers: { authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
  }
  await pause(1000);
  return (await usageOf(process.pid)).memoryMiB;
}

/** Measures the memory of the API until it is stopped, which gives the peak in MiB. */
function watchMemory({ process }: Api): { stop(): Promise<number> } {
  let peak = 0;
  let watching = true;
  const watched = (async () => {
    while (watching) {
      peak = Math.max(peak, (await usageOf(process.pid)).memoryMiB);
      await pause(LOOK_EVERY_MS);
    }
  })();
  return {
    async stop() {
      watching = false;
      await watched;
      return peak;
    },
  };
}
