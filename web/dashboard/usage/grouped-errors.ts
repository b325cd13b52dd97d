import type { RecentErrorView } from "../data.ts";

/** Errors that are alike: the newest, and when each happened. */
export type ErrorGroup = { newest: RecentErrorView; times: { at: string; request_id: string }[] };

/** Errors of the same request, key and code together; the group with the newest error first. `errors`: the newest first. */
export function groupedErrors(errors: readonly RecentErrorView[]): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const error of errors) {
    const { at, request_id, method, url, code, key } = error;
    const id = JSON.stringify([method, url, code, key]);
    const group = groups.get(id);
    if (group) group.times.push({ at, request_id });
    else groups.set(id, { newest: error, times: [{ at, request_id }] });
  }
  return [...groups.values()];
}
