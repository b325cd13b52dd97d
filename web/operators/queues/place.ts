import type { JobState } from "../../../libs/operations/queues/job-view.ts";

export type { JobState };
/** The part of a queue that is shown. */
export type Place = { state: JobState; page: number };

export const STATES: readonly JobState[] = ["waiting", "active", "delayed", "failed"];

/** The place that the parameters of a page name. Wrong ones count as left out. */
export function placeOf(query: Record<string, string>): Place {
  const { state, page = "" } = query;
  return {
    state: STATES.find((each) => each === state) ?? "waiting",
    page: /^[1-9]\d{0,5}$/.test(page) ? Number(page) : 1,
  };
}

export const hrefOf = (queue: string, { state, page }: Place): string =>
  `/operators/queues/${encodeURIComponent(queue)}?state=${state}${page > 1 ? `&page=${page}` : ""}`;
