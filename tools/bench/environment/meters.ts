import type { Client } from "@elastic/elasticsearch";
import type { Redis } from "ioredis";
import { usageOf } from "./processes.ts";

/** CPU time that something has used so far, in ms. On a shared machine, CPU per request says more than time does. */
export type Meter = () => Promise<number>;

/** Meters of all that works for a target, by what they are of. */
export type Meters = Readonly<Record<string, Meter>>;

export const processMeter =
  (pid: number): Meter =>
  async () =>
    (await usageOf(pid)).cpuMs;

/**
 * CPU time of Elasticsearch. What it reports is up to a second old: on this machine (`local`) its processes are asked instead, because
 * some requests are measured for less than that.
 */
export async function engineMeter(client: Client, { local }: { local: boolean }): Promise<Meter> {
  if (local) {
    const { nodes } = await client.nodes.info({ metric: "process" });
    const processes = Object.values(nodes).map((node) => processMeter(node.process!.id));
    return async () => (await Promise.all(processes.map((read) => read()))).reduce((sum, ms) => sum + ms, 0);
  }
  return async () => {
    const { nodes } = await client.nodes.stats({ metric: "process" });
    return Object.values(nodes).reduce((sum, node) => sum + (node.process?.cpu?.total_in_millis ?? 0), 0);
  };
}

export function redisMeter(redis: Redis): Meter {
  return async () => {
    const text = await redis.info("cpu");
    const of = (name: string) => Number(new RegExp(`^${name}:(.*)$`, "m").exec(text)?.[1] ?? 0);
    return 1000 * (of("used_cpu_sys") + of("used_cpu_user"));
  };
}

export async function readMeters(meters: Meters): Promise<Record<string, number>> {
  const read = Object.entries(meters).map(async ([name, meter]) => [name, await meter()] as const);
  return Object.fromEntries(await Promise.all(read));
}

/** CPU time since an earlier reading, in µs for each of `count`. */
export async function cpuSince(
  before: Record<string, number>,
  meters: Meters,
  count: number,
): Promise<Record<string, number>> {
  const now = Object.entries(await readMeters(meters));
  return Object.fromEntries(now.map(([name, ms]) => [name, Math.round((1000 * (ms - before[name]!)) / count)]));
}
