import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { createCaller } from "../load/caller.ts";
import { createSample, recordMeasurement, type Sample } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";

const EVERY_MS = 200;

/**
 * Reads new pages of `/funding` one at a time, five a second, for as long as they are `wanted`: few enough to leave the cores to what is
 * measured beside them. Throws when one of them fails.
 */
export async function steadyReads(
  { world }: Environment,
  { origin, key }: Api,
  wanted: () => boolean,
): Promise<Sample> {
  const queries = fundingRequests(world, Date.now() % 1e6);
  const sample = createSample("/funding, new filters");
  const caller = createCaller({ origin, headers: { authorization: `Bearer ${key}` } });
  while (wanted()) {
    const begun = performance.now();
    const failure = await caller.call({ method: "GET", path: `/api/v1/funding?${queries.next().value}` });
    const took = performance.now() - begun;
    recordMeasurement(sample, took, failure);
    await pause(Math.max(0, EVERY_MS - took));
  }
  await caller.close();
  if (sample.failures.length > 0) throw new Error(sample.failures[0]);
  return sample;
}
