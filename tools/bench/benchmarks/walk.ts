import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { type Benchmark, goal } from "../benchmark.ts";
import { writesOf } from "../data/documents.ts";
import type { Family, World } from "../data/world.ts";
import { type Api, startApi } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { type Indexer, startIndexer } from "../environment/indexer.ts";
import { createSample, figuresOf, recordMeasurement, type Sample } from "../load/sample.ts";
import { samplesFigures } from "../report/samples.ts";
import { RECORDS_A_SECOND, write, writeSteadily } from "../writes/steadily.ts";
import { writtenChanged } from "../writes/written.ts";

/** In the first order no written round takes another place. In the second, those with other amounts do. */
const SORTS = ["announced_date_desc", "amount_desc"] as const;
/** The most that a plan allows. */
const LIMIT = 50;

/** All rows of a list, page by page, while records are written. */
export const walk: Benchmark = {
  name: "walk",
  about: `all rounds by cursor, page by page, while ${RECORDS_A_SECOND} records per second change amounts: none missing, none twice`,
  async run(environment, options) {
    await environment.load({ records: true });
    const [api, indexer] = [await startApi(environment, { profile: options.profile }), await startIndexer(environment)];
    const walks: Walk[] = [];
    for (const sort of SORTS) walks.push(await walkWhileWriting(environment, { api, indexer }, sort));
    await indexer.stop();
    await api.process.stop();

    const sum = (of: (each: Walk) => number) => walks.reduce((all, each) => all + of(each), 0);
    const goals = [
      goal(
        "rows in their place that a walk lacks",
        sum(({ missing }) => missing),
        { most: 0 },
      ),
      goal(
        "rows in their place that a walk has twice",
        sum(({ repeated }) => repeated),
        { most: 0 },
      ),
    ];
    const rows = walks.map(({ sort, sample, rows: found, moved, missing, repeated }) => {
      const { seconds, p50_ms, p99_ms } = { seconds: sample.seconds, ...figuresOf(sample) };
      return [sort, found, moved, missing, repeated, seconds.toFixed(0), Math.round(found / seconds), p50_ms, p99_ms];
    });
    return {
      ratio: sum(({ missing, repeated }) => missing + repeated),
      figures: {
        walks: walks.map(({ sort, rows: found, moved, missing, repeated }) => ({
          sort,
          rows: found,
          moved,
          missing,
          repeated,
        })),
        pages: samplesFigures(walks.map(({ sample }) => sample)),
      },
      table: {
        head: ["order", "rows", "moved", "missing", "twice", "seconds", "rows/s", "p50 ms", "p99 ms"],
        rows,
      },
      goals,
    };
  },
};

type Walk = { sort: string; rows: number; moved: number; missing: number; repeated: number; sample: Sample };

async function walkWhileWriting(
  { world }: Environment,
  { api, indexer }: { api: Api; indexer: Indexer },
  sort: (typeof SORTS)[number],
): Promise<Walk> {
  const changed: Family[] = [];
  const moved = new Set<string>();
  let walking = true;
  const writes = noting(
    writtenChanged(world, Date.now() % 1_000_000, changed),
    sort === "amount_desc" ? moved : undefined,
  );
  const writing = writeSteadily(indexer, writes, () => walking);
  const sample = createSample(sort);
  const times = new Map<string, number>();
  for await (const ids of pages(api, sort, sample)) for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1);
  walking = false;
  await writing;
  await write(
    indexer,
    changed.flatMap((family) => writesOf(family, Date.now())),
  );
  await indexer.drained();

  const walked: Walk = { sort, rows: times.size, moved: moved.size, missing: 0, repeated: 0, sample };
  for (const id of roundsOf(world)) {
    if (moved.has(id)) continue;
    const count = times.get(id) ?? 0;
    if (count === 0) walked.missing++;
    if (count > 1) walked.repeated++;
  }
  return walked;
}

async function* pages(api: Api, sort: string, sample: Sample): AsyncGenerator<string[]> {
  const headers = { authorization: `Bearer ${api.key}` };
  let cursor: string | null = null;
  const start = performance.now();
  do {
    const before = performance.now();
    const after: string = cursor === null ? "" : `&cursor=${cursor}`;
    const answer = await fetch(`${api.origin}/api/v1/funding?sort=${sort}&limit=${LIMIT}&fields=id${after}`, {
      headers,
    });
    if (answer.status !== 200) throw new Error(`${answer.status}: ${await answer.text()}`);
    const { data, pagination } = (await answer.json()) as Page;
    recordMeasurement(sample, performance.now() - before);
    yield data.map(({ id }) => id);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  sample.seconds = (performance.now() - start) / 1000;
}

type Page = { data: { id: string }[]; pagination: { next_cursor: string | null } };

/** The same writes; ids of their rounds go to `noted`. */
function* noting(writes: Generator<RecordWrite, never>, noted: Set<string> | undefined): Generator<RecordWrite, never> {
  for (;;) {
    const { value } = writes.next();
    if (value.type === "round") noted?.add(value.id);
    yield value;
  }
}

function* roundsOf(world: World): Generator<string> {
  for (const { rounds } of world.families()) for (const { id } of rounds) yield id;
}
