import { useState } from "preact/hooks";
import type { SearchView } from "../data.ts";
import { type RequestFailed, requestJson } from "../../ui/request.ts";
import type { ListPage } from "../explore/api-rows.ts";
import { API } from "../session.ts";

/** The rows of a search: being counted, counted, or why they can't be. */
export type Counted = { state: "counting" } | { state: "counted"; count: number } | { state: "failed"; reason: string };

/** Counts the rows of searches when somebody asks, one request each, one after another. Stops when the account's requests are used up. */
export function useCounts(): {
  counts: Readonly<Record<string, Counted>>;
  ask: (searches: readonly SearchView[]) => Promise<void>;
} {
  const [counts, setCounts] = useState<Readonly<Record<string, Counted>>>({});
  const setCount = (id: string, counted: Counted) => setCounts((last) => ({ ...last, [id]: counted }));
  const ask = async (searches: readonly SearchView[]) => {
    for (const { id, list, query } of searches) {
      setCount(id, { state: "counting" });
      try {
        const { body } = await requestJson<ListPage>(`${API}/v1/${list}?${query === "" ? "" : `${query}&`}limit=1`);
        setCount(id, { state: "counted", count: body.pagination.count });
      } catch (thrown) {
        const error = thrown as RequestFailed;
        setCount(id, { state: "failed", reason: error.message });
        if (error.status === 429 || error.status === 0) return;
      }
    }
  };
  return { counts, ask };
}
