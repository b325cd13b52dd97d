import { type Benchmark, goal } from "../benchmark.ts";
import { createCaller } from "../load/caller.ts";
import { createSample, figuresOf, note } from "../load/sample.ts";
import { FUNDING_SORTS } from "../../apps/api/parameters/funding.ts";
import { SIGNALS_SORTS } from "../../apps/api/parameters/signals.ts";
import { startApi } from "../environment/api.ts";

/** Parts of a list at which pages are asked for: of 1,000,000 rows 10,000, 100,000 and 900,000. */
const DEPTHS = [0.01, 0.1, 0.9];
const LISTS = {
  funding: {
    sorts: Object.keys(FUNDING_SORTS),
    filters: { none: "", filtered: "country=US,GB,IN&min_amount_usd=500000" },
  },
  signals: { sorts: Object.keys(SIGNALS_SORTS), filters: { none: "", filtered: "country=US,GB,IN,DE" } },
};

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
    const cases = Object.entries(LISTS).flatMap(([list, { sorts, filters }]) =>
      sorts.flatMap((sort) => Object.entries(filters).map(([filter, query]) => ({ list, sort, filter, query }))),
    );
    const perCase = Math.max(5, Math.round((options.seconds * 1000) / cases.length / 100));

    const rows: (string | number)[][] = [];
    const figures: object[] = [];
    let worst = 0;
    for (const { list, sort, filter, query } of cases) {
      const path = `/api/v1/${list}?${query}${query === "" ? "" : "&"}sort=${sort}`;
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
