import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { FindDialog } from "../../ui/find-dialog.tsx";
import { type Found, useFound } from "../../ui/use-found.ts";
import { useLoad } from "../../ui/use-load.ts";
import { LIST_NAMES } from "../explore/words.ts";
import { get } from "../session.ts";
import { PAGES } from "../pages.ts";
import { findNames, isSearchable } from "./names.ts";

/** After the last key. */
const PAUSE_MS = 200;
const MOST_OWN = 5;

/** The search of the dashboard: companies and investors, as forgiving as that of the API, and pages and saved searches of the account. */
export default function Find({ close }: { close: () => void }) {
  const { route } = useLocation();
  const [text, setText] = useState("");
  const wanted = text.trim();
  const searches = useLoad("searches", (signal) => get("/searches", signal));
  const named = useFound(wanted, { asks: isSearchable(wanted), pauseMs: PAUSE_MS }, findNames);
  const own = [
    ...PAGES.map(([href, title]) => ({ href, title, kind: "page" })),
    ...(searches.value?.searches ?? []).map(({ name, list, query }) => ({
      href: `/dashboard/explore/${list}${query === "" ? "" : `?${query}`}`,
      title: name,
      kind: `saved search of ${LIST_NAMES[list].toLowerCase()}`,
    })),
  ].filter(({ title }) => title.toLowerCase().includes(wanted.toLowerCase()));
  const hits = [...(wanted === "" ? own : own.slice(0, MOST_OWN)), ...named.hits];
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

function statusOf(state: Found<unknown>["state"], hits: number): string {
  if (state === "nothing asked") return "Companies, investors, saved searches and pages.";
  if (state === "asking") return "Searching …";
  if (state === "failed") return "Companies and investors can't be searched now.";
  return hits === 0 ? "Nothing matches." : `${hits} ${hits === 1 ? "match" : "matches"}`;
}
