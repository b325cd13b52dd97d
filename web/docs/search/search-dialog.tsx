import { useEffect, useState } from "preact/hooks";
import { FindDialog, type Hit } from "../../ui/find-dialog.tsx";
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

type Found = { state: "nothing asked" } | { state: "failed" } | { state: "found"; hits: SearchHit[] };

/** The search of the docs, in the index that their pages were built with. */
export default function SearchDialog({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>({ state: "nothing asked" });
  useEffect(() => {
    let isLatest = true;
    const show = (next: Found) => isLatest && setFound(next);
    if (text.trim() === "") show({ state: "nothing asked" });
    else
      searchSite(text).then(
        (hits) => show({ state: "found", hits }),
        () => show({ state: "failed" }),
      );
    return () => {
      isLatest = false;
    };
  }, [text]);
  const hits = found.state === "found" ? found.hits : [];
  return (
    <FindDialog
      title="Search the docs"
      status={statusOf(found)}
      hits={hits.map(shown)}
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

function statusOf(found: Found): string {
  if (found.state === "failed") return "The search can't be loaded. Check your connection.";
  if (found.state === "nothing asked") return "Guides, parameters, errors, settings, alerts, how to run it.";
  const { length } = found.hits;
  if (length === 0) return "Nothing matches.";
  return length === MAX_HITS ? `The best ${length} matches` : `${length} ${length === 1 ? "match" : "matches"}`;
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
