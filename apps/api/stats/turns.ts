import pLimit from "p-limit";
import { unavailable } from "../errors/api-error.ts";

/** Each may keep a core of Elasticsearch busy for seconds. */
const AT_ONCE = 2;
/** Those behind them would wait longer than callers do. */
const MOST_WAITING = 20;

/**
 * Has the work of many searches done two at a time, because statistics that are refused for their number of groups cost no quota. Throws
 * the error for a 503 when too many wait.
 */
export function createTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(AT_ONCE);
  return async (work) => {
    if (limit.pendingCount >= MOST_WAITING) throw unavailable(new Error("too many large statistics wait"));
    return limit(work);
  };
}
