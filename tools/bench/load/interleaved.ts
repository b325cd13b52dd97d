import { closedLoad } from "./closed.ts";
import type { Target } from "./exchange.ts";
import { readMeters } from "../environment/meters.ts";
import { createSample, type Sample } from "./sample.ts";

export type Slices = {
  /** How often each target has its turn. */
  turns: number;
  /** Length of a turn, in seconds. */
  seconds: number;
  connections: number;
  /** How long each target works before anything counts, in seconds; one turn at least. */
  warmUpSeconds: number;
  /** The work of a turn; default: closed load. `counts`: it is not a warm-up. */
  load?: (target: Target, sample: Sample, counts: boolean) => Promise<void>;
};

/** How many turns a target has before anything counts. */
export const warmUpTurns = ({ warmUpSeconds, seconds }: Pick<Slices, "warmUpSeconds" | "seconds">): number =>
  Math.max(1, Math.ceil(warmUpSeconds / seconds));

/** The sides in the order of their turns: A B C, C B A, A B C, … */
export function* alternating<Side>(sides: readonly Side[], turns: number): Generator<Side> {
  for (let turn = 0; turn < turns; turn++) yield* turn % 2 === 0 ? sides : sides.toReversed();
}

/**
 * Measures several targets in alternating turns, so that what else the machine does hits all of them alike. What
 * each does first, by turns as well, warms it up and is thrown away: Node and Elasticsearch compile what they do often while they do it.
 */
export async function interleaved(targets: readonly Target[], slices: Slices): Promise<Sample[]> {
  const samples = new Map(targets.map((target) => [target, createSample(target.name)]));
  const load = slices.load ?? ((target: Target, sample: Sample) => closedLoad(target, sample, slices));
  for (let turn = 0; turn < warmUpTurns(slices); turn++) {
    for (const target of targets) await load(target, createSample("warming up"), false);
  }
  for (const target of alternating(targets, slices.turns)) {
    const sample = samples.get(target)!;
    const before = await readMeters(target.meters);
    await load(target, sample, true);
    for (const [name, ms] of Object.entries(await readMeters(target.meters))) {
      sample.cpuMs[name] = (sample.cpuMs[name] ?? 0) + ms - before[name]!;
    }
  }
  return [...samples.values()];
}

/** Few callers at once, and many: concurrent requests share Redis round trips. */
export const FEW_AND_MANY = [8, 64];

/** Measures the targets from each of these numbers of connections. */
export async function fromEach(
  numbers: readonly number[],
  targets: readonly Target[],
  slices: Omit<Slices, "connections">,
): Promise<{ connections: number; samples: Sample[] }[]> {
  const measured: { connections: number; samples: Sample[] }[] = [];
  for (const connections of numbers) {
    const named = targets.map((target) => ({ ...target, name: `${target.name}, ${connections} connections` }));
    // They are warm when their number changes.
    const warmUpSeconds = measured.length === 0 ? slices.warmUpSeconds : 0;
    measured.push({ connections, samples: await interleaved(named, { ...slices, connections, warmUpSeconds }) });
  }
  return measured;
}
