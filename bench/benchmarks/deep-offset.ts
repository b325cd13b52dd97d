import { type Benchmark, goal } from "../benchmark.ts";
import { createCaller } from "../load/caller.ts";
import { createSample, figuresOf, note } from "../load/sample.ts";
import { startApi } from "../environment/api.ts";
import { DEPTHS, LIST_CASES } from "../requests/list-cases.ts";

/**
 * Time of a page far down a list against that of its first pages. Each page is asked for once, so that none comes out of a cache;
 * what helps to find the place of a row is counted once a filter and order, as it is in use.
 */
export const deepOffset: Benchmark = {
  name: "deep-offset",
  about: "pages 1 %, 10 % and 90 % down each list, in every order, filtered and not, against the first page",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const headers = { authorization: `Bearer ${api.key}` };
    const caller = createCaller({ origin: api.origin, headers });
    const perCase = Math.max(5, Math.round((options.seconds * 1000) / LIST_CASES.length / 100));

    const rows: (string | number)[][] = [];
    const figures: object[] = [];
    let worst = 0;
    for (const { list, sort, filter, path } of LIST_CASES) {
      const answer = await fetch(`${api.origin}${path}`, { headers });
      const { count } = ((await answer.json()) as { pagination: { count: number } }).pagination;
      const offsets = [0, ...DEPTHS.map((depth) => Math.floor(depth * count))];
      const samples = offsets.map((offset) => createSample(String(offset)));
      // The first of each is thrown away, and all of them take turns.
      for (let turn = -1; turn < perCase; turn++) {
        for (const [i, sample] of samples.entries()) {
          const before = performance.now();
          const failure = await caller.call({ method: "GET", path: `${path}&offset=${offsets[i]! + turn + 1}` });
          if (failure) throw new Error(failure);
          if (turn >= 0) note(sample, performance.now() - before);
        }
      }
      const [first, ...deep] = samples.map((sample) => figuresOf(sample).p50_ms) as [number, ...number[]];
      const most = Math.max(...deep) / first;
      worst = Math.max(worst, most);
      rows.push([list, sort, filter, count, first, ...deep, most.toFixed(2)]);
      figures.push({ list, sort, filter, count, offsets, p50_ms: [first, ...deep], ratio: most });
    }
    await caller.close();
    await api.process.stop();
    const goals = [goal("p50 of a deep page against the first", worst, { most: 2 })];
    return {
      ok: goals.every(({ met }) => met),
      ratio: worst,
      figures: { cases: figures },
      table: { head: ["list", "sort", "filter", "rows", "first ms", "1 %", "10 %", "90 %", "ratio"], rows },
      goals,
    };
  },
};
