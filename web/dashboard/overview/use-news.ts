import { useEffect, useState } from "preact/hooks";
import type { ListedSearch } from "../../../apps/dashboard/routes/searches.ts";
import { type RequestFailed, requestJson } from "../../ui/request.ts";
import type { ListPage } from "../explore/api-rows.ts";
import { filtersOf } from "../explore/request/explore-state.ts";
import { readParams, writeParams } from "../explore/request/params.ts";
import { API } from "../session.ts";

/** The rows of a search, and how many came or changed since it was opened; or why that is not known. */
export type News =
  | { state: "known"; rows: number; changed?: { count: number; more: boolean } }
  | { state: "failed"; reason: string };

type Changes = { data: { change: "upsert" | "remove" }[]; has_more: boolean };

/** Positions of the feed are good for 30 days. */
const LONGEST_MS = 29 * 86_400_000;
const MOST_COUNTED = 100;
/** The feed does not go back so far, or not on this plan: news are counted from now on. */
const GONE = new Set([403, 410]);
/** Lists with a feed of changes. */
const FEEDS = new Set(["funding", "signals"]);

const openedAt = (id: string) => `tranche.opened.${id}`;

/**
 * Counts the rows of searches, and what is new in each, one after another. `opened` notes that a search is being looked at: what comes
 * after that is new. Stops when the account's requests are used up.
 */
export function useNews(searches: readonly ListedSearch[]): {
  news: Readonly<Record<string, News>>;
  opened: (id: string) => void;
} {
  const [news, setNews] = useState<Readonly<Record<string, News>>>({});
  useEffect(() => {
    const left = new AbortController();
    const readAll = async () => {
      for (const search of searches) {
        try {
          const read = await newsOf(search, left.signal);
          setNews((last) => ({ ...last, [search.id]: read }));
        } catch (thrown) {
          if (left.signal.aborted) return;
          const { message, status } = thrown as RequestFailed;
          setNews((last) => ({ ...last, [search.id]: { state: "failed", reason: message } }));
          if (status === 429 || status === 0) return;
        }
      }
    };
    void readAll();
    return () => left.abort();
  }, [searches.map(({ id, version }) => id + version).join()]);
  return { news, opened: (id) => note(id, Date.now()) };
}

async function newsOf({ id, list, query }: ListedSearch, signal: AbortSignal): Promise<News> {
  const params = readParams(query);
  const { body, headers } = await requestJson<ListPage>(
    `${API}/v1/${list}?${writeParams([...params, ["limit", "1"]])}`,
    {
      signal,
    },
  );
  const rows = body.pagination.count;
  if (!FEEDS.has(list)) return { state: "known", rows };
  // The clock of the service, because this computer's may be ahead of it.
  const now = Date.parse(headers.get("Date") ?? "");
  const since = Number(localStorage.getItem(openedAt(id)));
  if (!(since > now - LONGEST_MS)) {
    note(id, now);
    return { state: "known", rows };
  }
  const position = new Date(Math.min(since, now)).toISOString();
  const asked = writeParams([...filtersOf(params), ["limit", String(MOST_COUNTED)], ["since", position]]);
  try {
    const { data, has_more: more } = (await requestJson<Changes>(`${API}/v1/${list}/changes?${asked}`, { signal }))
      .body;
    return { state: "known", rows, changed: { count: data.filter(({ change }) => change === "upsert").length, more } };
  } catch (thrown) {
    if (!GONE.has((thrown as RequestFailed).status)) throw thrown;
    note(id, now);
    return { state: "known", rows };
  }
}

function note(id: string, time: number): void {
  if (!Number.isNaN(time)) localStorage.setItem(openedAt(id), String(time));
}
