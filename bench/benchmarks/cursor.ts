import { type Benchmark, goal } from "../benchmark.ts";
import { startApi } from "../environment/api.ts";
import { createCaller } from "../load/caller.ts";
import { createSample, figuresOf, note } from "../load/sample.ts";
import { DEPTHS, LIST_CASES } from "../requests/list-cases.ts";

/** How much slower than the first page a page by cursor may be. */
const MOST = 1.2;

/**
 * Time of a page by cursor, far down a list, against that of its first pages. Each page is asked for once, so that none comes out of
 * a cache. The cursors are asked for before, because they come with the rows before them.
 */
export const cursor: Benchmark = {
  name: "cursor",
  about: "pages by cursor 1 %, 10 % and 90 % down each list, in every order, filtered and not, against the first page",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const headers = { authorization: `Bearer ${api.key}` };
    const caller = createCaller({ origin: api.origin, headers });
    type Pagination = { count: number; next_cursor: string | null };
    const paginationOf = async (path: string) => {
      const answer = await fetch(`${api.origin}${path}`, { headers });
      return ((await answer.json()) as { pagination: Pagination }).pagination;
    };
    const perCase = Math.max(5, Math.round((options.seconds * 1000) / LIST_CASES.length / 100));
    const turns = Array.from({ length: perCase + 1 }, (_, turn) => turn);

    const rows: (string | number)[][] = [];
    const figures: object[] = [];
    let worst = 0;
    for (const { list, sort, filter, path } of LIST_CASES) {
      const { count } = await paginationOf(path);
      const starts = [turns.map((turn) => `offset=${turn}`)];
      for (const depth of DEPTHS) {
        const cursors: string[] = [];
        for (const turn of turns) {
          const before = await paginationOf(`${path}&limit=1&offset=${Math.floor(depth * count) + turn}`);
          cursors.push(`cursor=${before.next_cursor}`);
        }
        starts.push(cursors);
      }
      const samples = starts.map((_, i) => createSample(String(i)));
      // The first of each is thrown away, and all of them take turns.
      for (const turn of turns) {
        for (const [i, sample] of samples.entries()) {
          const before = performance.now();
          const failure = await caller.call({ method: "GET", path: `${path}&${starts[i]![turn]!}` });
          if (failure) throw new Error(failure);
          if (turn > 0) note(sample, performance.now() - before);
        }
      }
      const [first, ...deep] = samples.map((sample) => figuresOf(sample).p50_ms) as [number, ...number[]];
      const most = Math.max(...deep) / first;
      worst = Math.max(worst, most);
      rows.push([list, sort, filter, count, first, ...deep, most.toFixed(2)]);
      figures.push({ list, sort, filter, count, p50_ms: [first, ...deep], ratio: most });
    }
    await caller.close();
    await api.process.stop();
    const goals = [goal("p50 of a page by cursor against the first", worst, { most: MOST })];
    return {
      ok: goals.every(({ met }) => met),
      ratio: worst,
      figures: { cases: figures },
      table: { head: ["list", "sort", "filter", "rows", "first ms", "1 %", "10 %", "90 %", "ratio"], rows },
      goals,
    };
  },
};
