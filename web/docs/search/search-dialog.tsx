import { useState } from "preact/hooks";
import { FindDialog, type Hit } from "../../ui/find-dialog.tsx";
import { type Found, useFound } from "../../ui/use-found.ts";
import MiniSearch from "minisearch";
import { requestText } from "../request-text.ts";
import { SEARCH_OPTIONS, type SearchEntry } from "../search-options.ts";

/** The place of a match in words; guides and the reference need none. */
const PLACES: Record<SearchHit["place"], string | undefined> = {
  use: undefined,
  run: "Run it",
  change: "Change it",
  decision: "Decision",
};

/** The search of the docs, in the index that their pages were built with. */
export default function SearchDialog({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const { state, hits } = useFound(text, { asks: text.trim() !== "" }, searchSite);
  return (
    <FindDialog
      title="Search the docs"
      status={statusOf(state, hits.length)}
      hits={hits.map(shown)}
      busy={state === "asking"}
      search={setText}
      open={({ href }) => location.assign(href)}
      close={close}
    />
  );
}

function shown({ path, title, page, place }: SearchHit): Hit {
  const kind = [page === title ? undefined : page, PLACES[place]].filter((text) => text !== undefined).join(", ");
  return { href: path, title, ...(kind === "" ? {} : { kind }) };
}

function statusOf(state: Found<unknown>["state"], hits: number): string {
  if (state === "failed") return "The search can't be loaded. Check your connection.";
  if (state === "nothing asked") return "Guides, parameters, errors, settings, alerts, how to run it.";
  if (hits === 0) return state === "asking" ? "Searching …" : "Nothing matches.";
  return hits === MAX_HITS ? `The best ${hits} matches` : `${hits} ${hits === 1 ? "match" : "matches"}`;
}

type SearchHit = Pick<SearchEntry, "path" | "page" | "title" | "place">;

/** No more parts of pages are shown. */
const MAX_HITS = 12;
let loaded: Promise<MiniSearch<SearchEntry>> | undefined;

/** The parts of pages that match a text, the best first. Loads the index with the first call; rejects when it can't be loaded. */
async function searchSite(text: string): Promise<SearchHit[]> {
  loaded ??= requestText(document.documentElement.dataset["search"]!).then((json) =>
    MiniSearch.loadJSON<SearchEntry>(json, SEARCH_OPTIONS),
  );
  try {
    const index = await loaded;
    return index.search(text).slice(0, MAX_HITS) as unknown as SearchHit[];
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
