import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { FindDialog, type Hit } from "../../ui/find-dialog.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { LIST_NAMES } from "../explore/words.ts";
import { get } from "../session.ts";
import { PAGES } from "../pages.ts";
import { findNames, isSearchable } from "./names.ts";

/** After the last key. */
const PAUSE_MS = 200;
const MOST_OWN = 5;

type Named = { state: "nothing asked" | "asking" | "failed" | "found"; hits: readonly Hit[] };

/** The search of the dashboard: companies and investors, as forgiving as that of the API, and pages and saved searches of the account. */
export default function Find({ close }: { close: () => void }) {
  const { route } = useLocation();
  const [text, setText] = useState("");
  const searches = useLoad("searches", (signal) => get("/searches", signal));
  const named = useNames(text.trim());
  const own = [
    ...PAGES.map(([href, title]) => ({ href, title, kind: "page" })),
    ...(searches.value?.searches ?? []).map(({ name, list, query }) => ({
      href: `/dashboard/explore/${list}${query === "" ? "" : `?${query}`}`,
      title: name,
      kind: `saved search of ${LIST_NAMES[list].toLowerCase()}`,
    })),
  ].filter(({ title }) => title.toLowerCase().includes(text.trim().toLowerCase()));
  const hits = [...(text.trim() === "" ? own : own.slice(0, MOST_OWN)), ...named.hits];
  return (
    <FindDialog
      title="Search"
      status={statusOf(named.state, hits.length)}
      hits={hits}
      busy={named.state === "asking"}
      search={setText}
      open={({ href }) => route(href)}
      close={close}
    />
  );
}

/** The companies and investors of a text, once typing has paused. Those of the text before stay until then. */
function useNames(text: string): Named {
  const [named, setNamed] = useState<Named>({ state: "nothing asked", hits: [] });
  useEffect(() => {
    if (!isSearchable(text)) return setNamed({ state: "nothing asked", hits: [] });
    const left = new AbortController();
    setNamed((last) => ({ ...last, state: "asking" }));
    const timer = setTimeout(() => {
      findNames(text, left.signal).then(
        (hits) => setNamed({ state: "found", hits }),
        () => !left.signal.aborted && setNamed({ state: "failed", hits: [] }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [text]);
  return named;
}

function statusOf(state: Named["state"], hits: number): string {
  if (state === "nothing asked") return "Companies, investors, saved searches and pages.";
  if (state === "asking") return "Searching …";
  if (state === "failed") return "Companies and investors can't be searched now.";
  return hits === 0 ? "Nothing matches." : `${hits} ${hits === 1 ? "match" : "matches"}`;
}
