import { useLocation } from "preact-iso";
import { useMemo, useState } from "preact/hooks";
import type { Field, ListName } from "../../../apps/dashboard/explore/list-fields.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import type { Problem } from "../../ui/request.ts";
import { Reading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { NotFound } from "../not-found.tsx";
import { get } from "../session.ts";
import "./explore.css";
import { FilterBar } from "./filters/filter-bar.tsx";
import { hrefOf, type ExploreState, readExploreState, restarted } from "./request/explore-state.ts";
import { Results } from "./results/results.tsx";
import { LIST_NAMES } from "./words.ts";

const NAMES = Object.keys(LIST_NAMES) as ListName[];

/** A list, its filters and its results. The address holds the whole state. */
export default function Explore() {
  const { url } = useLocation();
  const loaded = useLoad("parameters", (signal) => get("/parameters", signal));
  const explore = useMemo(() => readExploreState(url, NAMES), [url]);
  if (!explore) return <NotFound />;
  return (
    <div class="stack">
      <div class="explore-head">
        <h1>Explore</h1>
        <nav class="lists" aria-label="Lists">
          {NAMES.map((list) => (
            <a key={list} href={`/dashboard/explore/${list}`} aria-current={list === explore.list ? "page" : undefined}>
              {LIST_NAMES[list]}
            </a>
          ))}
        </nav>
        <CopyButton text={new URL(url, location.href).href} what="link" elsewhere />
      </div>
      <Reading of={loaded} rows={10} />
      {loaded.value && <List key={explore.list} explore={explore} fields={loaded.value[explore.list]} />}
    </div>
  );
}

function List({ explore, fields }: { explore: ExploreState; fields: readonly Field[] }) {
  const { route } = useLocation();
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const open = (params: ExploreState["params"]) => {
    const next = hrefOf(restarted({ ...explore, params }));
    if (next !== hrefOf(explore)) route(next);
  };
  return (
    <>
      <FilterBar fields={fields} params={explore.params} problems={problems} apply={open} />
      <Results explore={explore} orders={fields.find(({ name }) => name === "sort")} found={setProblems} />
    </>
  );
}
