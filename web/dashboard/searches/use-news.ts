import { useEffect, useRef, useState } from "preact/hooks";
import type { ListedSearch } from "../data.ts";
import { type RequestFailed, requestJson } from "../../ui/request.ts";
import type { ListPage } from "../explore/api-rows.ts";
import { filtersOf } from "../explore/request/explore-state.ts";
import { readParams, writeParams } from "../explore/request/params.ts";
import { withLabels } from "../explore/words.ts";
import { API } from "../session.ts";

/** The rows of a search, and how many came or changed since it was opened; or why that is not known. */
export type News =
  | { state: "known"; rows: number; changed?: { count: number; more: boolean } }
  | { state: "failed"; reason: string };

type Changes = { data: { change: "upsert" | "remove" }[]; next: string; has_more: boolean };

const MOST_COUNTED = 100;
/** Lists with a feed of changes. */
const FEEDS = new Set(["funding", "signals"]);
/** The feed refuses a position that is too old, or that was given for other filters: news are counted from now on. */
const REFUSED = new Set([400, 403, 410]);

/**
 * Counts the rows of searches, and what is new in each, one after another; of those that come later alone, or have changed. `opened` notes
 * that a search is being looked at: what comes after that is new. Stops when the account's requests are used up, or the API is away.
 */
export function useNews(searches: readonly ListedSearch[]): {
  news: Readonly<Record<string, News>>;
  opened: (search: ListedSearch) => void;
} {
  const [news, setNews] = useState<Readonly<Record<string, News>>>({});
  const counted = useRef(new Set<string>());
  useEffect(() => {
    const left = new AbortController();
    const readAll = async () => {
      for (const search of searches) {
        if (counted.current.has(versionOf(search))) continue;
        try {
          const read = await newsOf(search, left.signal);
          counted.current.add(versionOf(search));
          setNews((last) => ({ ...last, [search.id]: read }));
        } catch (thrown) {
          if (left.signal.aborted) return;
          const { message, status } = thrown as RequestFailed;
          const uncounted = searches.map(({ id }): [string, News] => [id, { state: "failed", reason: "not counted" }]);
          const failed: News = { state: "failed", reason: withLabels(message) };
          const isOver = status === 429 || status === 0 || status >= 500;
          setNews((last) => ({ ...(isOver ? Object.fromEntries(uncounted) : {}), ...last, [search.id]: failed }));
          if (isOver) return;
        }
      }
    };
    void readAll();
    return () => left.abort();
  }, [searches.map(versionOf).join()]);
  // A failure leaves the position before: what was seen is counted once more.
  return { news, opened: (search) => void beginNow(search).catch(() => {}) };
}

const versionOf = ({ id, version }: ListedSearch) => `${id} ${version}`;

async function newsOf(search: ListedSearch, signal: AbortSignal): Promise<News> {
  const { id, list, query } = search;
  const path = `/v1/${list}?${writeParams([...readParams(query), ["limit", "1"]])}`;
  const rows = (await requestJson<ListPage>(API + path, { signal })).body.pagination.count;
  if (!FEEDS.has(list)) return { state: "known", rows };
  const position = localStorage.getItem(storedAs(id));
  if (position !== null) {
    try {
      const { data, has_more: more } = await changesOf(
        search,
        { limit: String(MOST_COUNTED), since: position },
        signal,
      );
      const count = data.filter(({ change }) => change === "upsert").length;
      return { state: "known", rows, changed: { count, more } };
    } catch (thrown) {
      if (!REFUSED.has((thrown as RequestFailed).status)) throw thrown;
    }
  }
  await beginNow(search, signal);
  return { state: "known", rows };
}

/** Counts the news of a search from now on. The position is that of the service, so no clock is compared with another. */
async function beginNow(search: ListedSearch, signal?: AbortSignal): Promise<void> {
  if (!FEEDS.has(search.list)) return;
  const { next } = await changesOf(search, {}, signal);
  localStorage.setItem(storedAs(search.id), next);
}

/** A page of the feed of a search. An empty one costs no request of the month. */
async function changesOf({ list, query }: ListedSearch, page: Record<string, string>, signal?: AbortSignal) {
  const asked = writeParams([...filtersOf(readParams(query)), ...Object.entries(page)]);
  return (await requestJson<Changes>(`${API}/v1/${list}/changes?${asked}`, signal ? { signal } : {})).body;
}

const storedAs = (id: string) => `tranche.seen.${id}`;
