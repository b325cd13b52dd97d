import { type Benchmark, goal, type Options } from "../benchmark.ts";
import { startApi } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { createCaller } from "../load/caller.ts";
import { createSample, figuresOf, recordMeasurement } from "../load/sample.ts";
import { DEPTHS, LIST_CASES } from "../requests/list-cases.ts";

/** Finds out how a page `depth` (0 to 1) down a list of `count` rows is asked for, in its turn: `offset=700`. */
type StartOf = (list: { path: string; count: number; read: Read }, depth: number, turn: number) => Promise<string>;

type Pagination = { count: number; next_cursor: string | null };
type Read = (path: string) => Promise<Pagination>;

/** Pages far down each list by offset. */
export const deepOffset: Benchmark = {
  name: "deep-offset",
  about: "pages 1 %, 10 % and 90 % down each list, in every order, filtered and not, against the first page",
  run: (environment, options) =>
    againstFirstPage(environment, options, { what: "a deep page", most: 2 }, startByOffset),
};

/** Pages far down each list by cursor. The cursors are asked for before, because they come with the rows before them. */
export const cursor: Benchmark = {
  name: "cursor",
  about: "pages by cursor 1 %, 10 % and 90 % down each list, in every order, filtered and not, against the first page",
  run: (environment, options) =>
    againstFirstPage(environment, options, { what: "a page by cursor", most: 1.2 }, async (list, depth, turn) => {
      const offset = await startByOffset(list, depth, turn);
      if (depth === 0) return offset;
      return `cursor=${(await list.read(`${list.path}&limit=1&${offset}`)).next_cursor}`;
    }),
};

const startByOffset: StartOf = async ({ count }, depth, turn) => `offset=${Math.floor(depth * count) + turn}`;

/**
 * Time of a page far down a list against that of its first pages. Each page is asked for once, so that none comes out of a cache; what
 * helps to find the place of a row is counted once a filter and order, as it is in use.
 */
async function againstFirstPage(
  environment: Environment,
  options: Options,
  { what, most }: { what: string; most: number },
  startOf: StartOf,
): ReturnType<Benchmark["run"]> {
  await environment.load({ records: false });
  const api = await startApi(environment, { profile: options.profile });
  const headers = { authorization: `Bearer ${api.key}` };
  const caller = createCaller({ origin: api.origin, headers });
  const read: Read = async (path) => {
    const answer = await fetch(`${api.origin}${path}`, { headers });
    return ((await answer.json()) as { pagination: Pagination }).pagination;
  };
  /** The first of each is thrown away, and all of them take turns. */
  const timesOf = async (path: string, turns: readonly number[]) => {
    const { count } = await read(path);
    const starts: string[][] = [];
    for (const depth of [0, ...DEPTHS]) {
      const ofDepth: string[] = [];
      for (const turn of turns) ofDepth.push(await startOf({ path, count, read }, depth, turn));
      starts.push(ofDepth);
    }
    const samples = starts.map((_, i) => createSample(String(i)));
    for (const at of turns.keys()) {
      for (const [i, sample] of samples.entries()) {
        const before = performance.now();
        const failure = await caller.call({ method: "GET", path: `${path}&${starts[i]![at]!}` });
        if (failure) throw new Error(failure);
        if (at > 0) recordMeasurement(sample, performance.now() - before);
      }
    }
    return { count, medians: samples.map((sample) => figuresOf(sample).p50_ms) as [number, ...number[]] };
  };

  const warmUp = turnsOf(options.warmUpSeconds, 0);
  const turns = turnsOf(options.seconds, warmUp.length);
  if (options.warmUpSeconds > 0) for (const { path } of LIST_CASES) await timesOf(path, warmUp);
  const rows: (string | number)[][] = [];
  const figures: object[] = [];
  let worst = 0;
  for (const { list, sort, filter, path } of LIST_CASES) {
    const { count, medians } = await timesOf(path, turns);
    const [first, ...deep] = medians;
    const ratio = Math.max(...deep) / first;
    worst = Math.max(worst, ratio);
    rows.push([list, sort, filter, count, ...medians, ratio.toFixed(2)]);
    figures.push({ list, sort, filter, count, p50_ms: medians, ratio });
  }
  await caller.close();
  await api.process.stop();
  const goals = [goal(`p50 of ${what} against the first`, worst, { most })];
  return {
    ratio: worst,
    figures: { cases: figures },
    table: { head: ["list", "sort", "filter", "rows", "first ms", "1 %", "10 %", "90 %", "ratio"], rows },
    goals,
  };
}

/** The turns of each case for so long, the first one included; other turns ask for other pages. */
function turnsOf(seconds: number, from: number): number[] {
  const count = Math.max(5, Math.round((seconds * 1000) / LIST_CASES.length / 100)) + 1;
  return Array.from({ length: count }, (_, n) => from + n);
}
