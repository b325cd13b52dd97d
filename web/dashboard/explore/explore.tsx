import { useLocation } from "preact-iso";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Field, ListFields, ListName } from "../../../apps/dashboard/explore/list-fields.ts";
import type { Problem } from "../../ui/request.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { NotFound } from "../not-found.tsx";
import { get, useSession } from "../session.ts";
import "./explore.css";
import { Filters } from "./form/filters.tsx";
import { type Draft, draftOf, filled, paramsOf, rebased } from "./request/draft.ts";
import { hrefOf, type ExploreState, readExploreState, restarted } from "./request/explore-state.ts";
import { writeParams } from "./request/params.ts";
import { Results } from "./results/results.tsx";

const LISTS: Record<ListName, string> = {
  funding: "Funding rounds",
  signals: "Signals",
  companies: "Companies",
  investors: "Investors",
};
const NAMES = Object.keys(LISTS) as ListName[];

/** A form for every list, and its results. The address holds the whole state. */
export default function Explore() {
  const { url } = useLocation();
  const loaded = useLoad("parameters", (signal) => get<ListFields>("/parameters", signal));
  const explore = useMemo(() => readExploreState(url, NAMES), [url]);
  if (!explore) return <NotFound />;
  return (
    <div class="stack">
      <h1>Explore</h1>
      <nav class="lists" aria-label="Lists">
        {NAMES.map((list) => (
          <a key={list} href={`/dashboard/explore/${list}`} aria-current={list === explore.list ? "page" : undefined}>
            {LISTS[list]}
          </a>
        ))}
      </nav>
      {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
      {loaded.value === undefined && loaded.state === "loading" && <Loading what="the filters" />}
      {loaded.value && <List key={explore.list} explore={explore} fields={loaded.value[explore.list]} />}
    </div>
  );
}

function List({ explore, fields: all }: { explore: ExploreState; fields: readonly Field[] }) {
  const { route } = useLocation();
  const { account } = useSession();
  const fields = useMemo(() => all.map((field) => withPageSizes(field, account.max_limit)), [all, account.max_limit]);
  const sent = writeParams(restarted(explore).params);
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, explore.params));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const form = useRef<HTMLDetailsElement>(null);
  const shown = useRef(explore.params);
  useEffect(() => {
    const [before, after] = [draftOf(fields, shown.current), draftOf(fields, explore.params)];
    shown.current = explore.params;
    setDraft((entered) => rebased(entered, before, after));
  }, [sent, fields]);

  const open = (params: ExploreState["params"]) => {
    const next = restarted({ ...explore, params });
    if (hrefOf(next) !== hrefOf(explore)) route(hrefOf(next));
  };
  const used = filled(
    fields.map(({ name }) => name),
    draft,
  );
  return (
    <div class="explore">
      <details ref={form} class="explore-form" open={isWide() || problems.length > 0}>
        <summary>Filters{used > 0 && ` (${used})`}</summary>
        <Filters
          fields={fields}
          draft={draft}
          problems={problems}
          change={setDraft}
          submit={() => {
            // On a phone the results are below the form.
            if (!isWide()) form.current!.open = false;
            open(paramsOf(fields, draft, explore.params));
          }}
          clear={() => {
            setDraft(draftOf(fields, []));
            open([]);
          }}
        />
        <p class="muted explore-cost">Each result, and most suggestions, count as a request of your account.</p>
      </details>
      <Results explore={explore} found={setProblems} />
    </div>
  );
}

const isWide = () => matchMedia("(min-width: 60rem)").matches;

/** Page sizes are offered up to what the plan allows. */
function withPageSizes(field: Field, most: number | undefined): Field {
  if (field.name !== "limit" || most === undefined) return field;
  const sizes = [10, 20, 50, 100].filter((size) => size < most);
  return { ...field, kind: "choice", choices: [...sizes, most].map(String) };
}
