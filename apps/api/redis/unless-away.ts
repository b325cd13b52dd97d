import { setTimeout as pause } from "node:timers/promises";
import { ApiError, unavailable } from "../errors/api-error.ts";
import type { Outage } from "./outage.ts";
import { RedisAway } from "./silence-timeout.ts";

/** 503 while Redis is away. `lasts`: for how long it has been, in ms. */
export const awayFor = (lasts: number): ApiError =>
  unavailable(Object.assign(new RedisAway(`Redis has been away for ${Math.round(lasts / 1000)} s`), { lasts }));

/** Asks Redis for what can't be done without it. Throws `unavailable` when it gives no answer, and while it is away without asking it. */
export async function unlessAway<T>(outage: Outage, ask: () => Promise<T>): Promise<T> {
  const lasts = outage.lasts();
  if (lasts !== undefined) throw awayFor(lasts);
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RedisAway)) throw error;
    outage.begins(error);
    throw unavailable(error);
  }
}

/** Most outages are a moment in which Redis was busy. */
const AGAIN_AFTER_MS = 500;
/** A longer outage is not retried, because waiting requests would pile up. */
const MOMENT_MS = 1000;

/** Asks once more a moment later when Redis has just gone away: for what may be asked twice, by callers who don't mind the moment. */
export async function evenIfAway<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const { cause } = error as Error;
    if (!(cause instanceof RedisAway) || cause.lasts > MOMENT_MS) throw error;
    await pause(AGAIN_AFTER_MS);
    return ask();
  }
}

/** As `unlessAway`, for what can be left out: undefined when it gives no answer, and while it is away. */
export async function orNone<T>(outage: Outage, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await unlessAway(outage, ask);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
