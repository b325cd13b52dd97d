import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { MAX_HITS, type SearchHit, searchSite } from "./index-of-site.ts";
import "./search.css";

/** What a match says of where it is; guides and the reference need no words. */
const PLACES: Record<SearchHit["place"], string | undefined> = {
  use: undefined,
  run: "Run it",
  change: "Change it",
  decision: "Decision",
};

type Found = { state: "nothing asked" } | { state: "failed" } | { state: "found"; hits: SearchHit[] };

/** The search: a field, and below it what matches, which the arrow keys choose and Enter opens. */
export default function SearchDialog({ close }: { close: () => void }) {
  const [text, setText] = useState("");
  const [found, setFound] = useState<Found>({ state: "nothing asked" });
  const [chosen, setChosen] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  useEffect(() => {
    let isLatest = true;
    const show = (next: Found) => isLatest && setFound(next);
    setChosen(0);
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
  const open = (hit: SearchHit | undefined) => {
    if (!hit) return;
    close();
    location.assign(hit.path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((last) => (last + step + hits.length) % hits.length);
    } else if (event.key === "Enter") {
      event.preventDefault();
      open(hits[chosen]);
    }
  };
  return (
    <Dialog title="Search the docs" close={close}>
      <input
        ref={field}
        class="input"
        type="text"
        aria-label="Search the docs"
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="hits"
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `hit-${chosen}` : undefined}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKey}
      />
      <p class="muted" role="status">
        {found.state === "failed" && "The search can't be loaded. Check your connection."}
        {found.state === "nothing asked" && "Guides, parameters, errors, settings, alerts, how to run it."}
        {found.state === "found" && (hits.length === 0 ? "Nothing matches." : countText(hits.length))}
      </p>
      <ul id="hits" role="listbox" aria-label="Matches" class="hits">
        {hits.map((hit, n) => (
          <li key={hit.path} id={`hit-${n}`} role="option" aria-selected={n === chosen} onClick={() => open(hit)}>
            <span class="title">{hit.title}</span>
            {hit.page !== hit.title && <span class="muted"> {hit.page}</span>}
            {PLACES[hit.place] && <span class="muted place"> {PLACES[hit.place]}</span>}
          </li>
        ))}
      </ul>
      <div class="row end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

const countText = (count: number): string =>
  count === MAX_HITS ? `The best ${count} matches` : `${count} ${count === 1 ? "match" : "matches"}`;
