import { setTimeout as pause } from "node:timers/promises";

type Change = { change: "upsert" | "remove"; id: string; row?: unknown };
type Page = { data: Change[]; next: string; has_more: boolean };

const WAIT_SECONDS = 2;
const AGAIN_MS = 200;

/** A copy of a filtered list that is kept by its feed of changes. */
export type Mirror = {
  /** As after `/api/v1`, with the filters. */
  list: string;
  rows: Map<string, string>;
  pages: number;
  /** The ids of the changes that it was told of, in their order. */
  told: string[];
  /** Answers other than 200, 503, and 429: an outage that cuts waiting requests off leaves their slots taken for a while. */
  refusals: string[];
  /** The position after the last page, and whether it was the last one then. */
  read: { position: string; isEnd: boolean };
  stop(): Promise<void>;
};

/** Follows a list from the start until it is stopped. Failures are tried again, as callers do. */
export function startMirror(base: () => string, path: string, filters: string, key: string): Mirror {
  const ending = new AbortController();
  const mirror: Mirror = {
    list: `${path}${filters && `?${filters}`}`,
    rows: new Map(),
    pages: 0,
    told: [],
    refusals: [],
    read: { position: "start", isEnd: false },
    async stop() {
      ending.abort();
      await following;
    },
  };
  const readPage = async (): Promise<Page | undefined> => {
    const query = `${filters && `${filters}&`}since=${mirror.read.position}&limit=1000&wait=${WAIT_SECONDS}`;
    const response = await fetch(`${base()}${path}/changes?${query}`, {
      headers: { Authorization: `Bearer ${key}` },
      signal: ending.signal,
    });
    if (response.ok) return (await response.json()) as Page;
    const text = await response.text();
    if (response.status !== 503 && response.status !== 429) mirror.refusals.push(`${response.status} ${text}`);
    return undefined;
  };
  const follow = async () => {
    while (!ending.signal.aborted) {
      const page = await readPage().catch(() => undefined);
      if (!page) {
        await pause(AGAIN_MS, undefined, { signal: ending.signal }).catch(() => {});
        continue;
      }
      for (const { change, id, row } of page.data) {
        if (change === "upsert") mirror.rows.set(id, JSON.stringify(row));
        else mirror.rows.delete(id);
      }
      mirror.pages++;
      mirror.told.push(...page.data.map(({ id }) => id));
      mirror.read = { position: page.next, isEnd: !page.has_more };
    }
  };
  const following = follow();
  return mirror;
}

/** Ids of rows in which a copy is other than its list is now. */
export async function differences(
  { list, rows }: Pick<Mirror, "list" | "rows">,
  base: string,
  key: string,
): Promise<string[]> {
  const listed = await rowsOf(list, base, key);
  const ids = new Set([...listed.keys(), ...rows.keys()]);
  return [...ids].filter((id) => listed.get(id) !== rows.get(id));
}

/** The rows of a list by id, each as JSON. `list`: as after `/api/v1`, with the filters. */
export async function rowsOf(list: string, base: string, key: string): Promise<Map<string, string>> {
  const [path, filters = ""] = list.split("?") as [string, string?];
  const response = await fetch(`${base}${path}/export?${filters}`, { headers: { Authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (!response.ok) throw new Error(`${list}: ${response.status} ${text}`);
  const lines = text.split("\n").filter((line) => line !== "");
  return new Map(lines.map((line) => [idOf(JSON.parse(line) as Row), line]));
}

export type Row = { id?: string; company?: { id: string } };
/** A round has an id of its own; a company of `/signals` is named by it. */
export const idOf = ({ id, company }: Row): string => id ?? company!.id;
