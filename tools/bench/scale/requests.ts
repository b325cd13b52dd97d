import { errors } from "undici";
import { TOO_MANY_GROUPS } from "../../../apps/api/stats/errors.ts";
import type { Options } from "../benchmark.ts";
import type { Api } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { cpuSince, readMeters } from "../environment/meters.ts";
import { closedLoad } from "../load/closed.ts";
import { createSample, figuresOf } from "../load/sample.ts";
import type { Figure, Figures } from "./figures.ts";
import { type Kind, kindsOf, WALKED, type Walked, type WalkedList, withParameter } from "./kinds.ts";

/** Each kind of request is measured for this part of `--seconds`, which is meant for a benchmark with few targets. */
const PART = 0.05;
const CURSORS = 60;

/** How long the API takes to answer requests of each kind, one at a time. */
export async function requestFigures(environment: Environment, api: Api, options: Options): Promise<Figures> {
  const walked = {} as Record<WalkedList, Walked>;
  for (const list of WALKED) walked[list] = await walkedOf(api, list);
  const figures: Figures = {};
  const kinds = kindsOf(environment.world, walked, Date.now() % 1e6).filter(
    ({ ofRecords }) => !(ofRecords && options.withoutWrites),
  );
  // What one kind compiles serves others: all of them work before the first is measured.
  for (const kind of kinds) await figureOf(environment, api, kind, options.warmUpSeconds * PART);
  for (const kind of kinds) figures[kind.name] = await figureOf(environment, api, kind, options.seconds * PART);
  return figures;
}

async function walkedOf(api: Api, list: WalkedList): Promise<Walked> {
  const headers = { authorization: `Bearer ${api.key}` };
  const read = async (offset: number) => {
    const path = withParameter(withParameter(list, "limit", 1), "offset", offset);
    const answer = await fetch(`${api.origin}/api/v1${path}`, { headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return ((await answer.json()) as { pagination: { count: number; next_cursor: string } }).pagination;
  };
  const rows = (await read(0)).count;
  const cursors: string[] = [];
  for (let n = 0; n < CURSORS; n++)
    cursors.push((await read(Math.floor(rows * (0.5 + n / (4 * CURSORS))))).next_cursor);
  return { rows, cursors };
}

async function figureOf(
  environment: Environment,
  api: Api,
  { name, held, grouped, next }: Kind,
  seconds: number,
): Promise<Figure> {
  const meters = { ES: environment.meters.elasticsearch };
  const target = {
    name,
    origin: api.origin,
    headers: { authorization: `Bearer ${api.key}` },
    meters,
    next: () => ({ method: "GET" as const, path: `/api/v1${next()}` }),
  };
  const sample = createSample(name);
  const before = await readMeters(meters);
  const begun = performance.now();
  try {
    await closedLoad(target, sample, { connections: 1, seconds });
    const [failure] = sample.failures;
    // All requests of a kind have about as many groups, and take about as long.
    const instead = failure === undefined ? undefined : grouped && insteadOf(failure);
    if (failure !== undefined && !instead) throw new Error(failure);
    const { ES } = await cpuSince(before, meters, sample.requests);
    return {
      value: figuresOf(sample).p50_ms,
      unit: "ms",
      cpu_us: ES!,
      ...(held ? { bound: { most: 2 } } : {}),
      ...(instead ? { instead } : {}),
    };
  } catch (error) {
    // The API ends a connection on which it sent nothing for half a minute.
    if (!grouped || !(error instanceof errors.SocketError || error instanceof errors.HeadersTimeoutError)) throw error;
    return { value: performance.now() - begun, unit: "ms", instead: "cut off" };
  }
}

/** What statistics of too many rows get in place of an answer. */
function insteadOf(failure: string): Figure["instead"] {
  if (failure.includes(`"${TOO_MANY_GROUPS}"`)) return "refused";
  // Elasticsearch did not answer in time.
  return failure.includes('"unavailable"') ? "given up" : undefined;
}
