import { useLocation } from "preact-iso";
import { useEffect, useRef } from "preact/hooks";
import type { Field } from "../../../../apps/dashboard/explore/list-fields.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import type { Problem } from "../../../ui/request.ts";
import { snippetsOf } from "../../../ui/snippets.ts";
import { Notice, Skeleton } from "../../../ui/states.tsx";
import { count } from "../../format.ts";
import { useSession } from "../../session.ts";
import type { ListPage, Warning } from "../api-rows.ts";
import { learnNames } from "../filters/suggestions.ts";
import { filtersOf, hrefOf, type ExploreState, restarted, VIEWS, type View } from "../request/explore-state.ts";
import { valueOf, writeParams } from "../request/params.ts";
import { shownWord, withLabels } from "../words.ts";
import { ApiFailed } from "./api-failed.tsx";
import { Charts, DIMENSIONS } from "./charts.tsx";
import { ColumnsButton } from "./columns-button.tsx";
import { DownloadButton } from "./download.tsx";
import { usePageSizes, withPageSize } from "./page-size.ts";
import { PageView } from "./page-view.tsx";
import "./results.css";
import { SaveButton } from "./save-button.tsx";
import { type Stats, statsQuery } from "./stats.ts";
import { useColumns } from "./use-columns.ts";
import { useWanted } from "./use-wanted.ts";

const NAMES: Record<View, string> = { table: "Table", charts: "Charts", json: "JSON", code: "Code" };

/**
 * The results of a request, in the view that the address names. `orders` is the parameter that has the orders of the list; `found` learns
 * what the API says is wrong with the request.
 */
export function Results({
  explore: asked,
  orders,
  found,
}: {
  explore: ExploreState;
  orders: Field | undefined;
  found: (problems: readonly Problem[]) => void;
}) {
  const { api_url: apiUrl } = useSession();
  const columns = useColumns(asked.list);
  const sizes = usePageSizes();
  const explore = { ...asked, params: withPageSize(asked.params, sizes) };
  const { list, params, view } = explore;
  const order = valueOf(params, "sort") ?? orders?.fallback ?? "";
  const query = writeParams(params);
  const path = `${list}${query === "" ? "" : `?${query}`}`;
  const rows = useWanted<ListPage, ExploreState>([path], view === "table" || view === "json", asked);
  const dimensions = DIMENSIONS[list] ?? [];
  const stats = useWanted<Stats, ExploreState>(
    dimensions.map((one) => `${list}/stats?${writeParams([...filtersOf(params), ...statsQuery(one)])}`),
    view === "charts",
    asked,
  );
  const shown = view === "charts" ? stats : rows;
  const failed = view !== "code" && shown.state === "failed" ? shown.error : undefined;
  const page = rows.value?.answers[0];
  // While the next answer is on its way, the problems of the last one stay.
  useEffect(() => {
    if (shown.state === "loading") return;
    learnNames(page?.data ?? []);
    found(failed?.details ?? []);
  }, [shown.state, failed]);
  const section = useRef<HTMLElement>(null);
  const first = useRef(path);
  // Other rows begin above the link to them.
  useEffect(() => {
    if (first.current === path) return;
    first.current = path;
    if (section.current!.getBoundingClientRect().top < 0) section.current!.scrollIntoView();
  }, [path]);
  // The rows of an earlier request are not those of a refused one.
  const refused = shown.state === "failed";
  const counted = refused ? undefined : (page?.pagination.count ?? stats.value?.answers[0]?.total.count);

  return (
    <section
      ref={section}
      class="results stack"
      aria-labelledby="results-name"
      aria-busy={view !== "code" && shown.state === "loading"}
    >
      <h2 id="results-name" class="visually-hidden">
        Results
      </h2>
      <div class="results-bar popovers">
        <nav class="views" aria-label="Views of the results">
          {VIEWS.filter((one) => one !== "charts" || dimensions.length > 0).map((one) => (
            <a key={one} href={hrefOf({ ...asked, view: one })} aria-current={one === view ? "page" : undefined}>
              {NAMES[one]}
            </a>
          ))}
        </nav>
        <span class="results-count" role="status">
          {shown.state === "loading" && view !== "code"
            ? "Loading …"
            : counted !== undefined && `${count(counted)} found`}
        </span>
        {view === "table" && <OrderChoice explore={asked} orders={orders} order={order} />}
        {view === "table" && <ColumnsButton columns={columns} />}
        <DownloadButton explore={explore} order={order} count={counted} disabled={refused} />
        <SaveButton explore={asked} disabled={refused} />
      </div>
      {page?.warnings && view === "table" && <Warnings warnings={page.warnings} />}
      {failed !== undefined && <ApiFailed error={failed} retry={shown.reload} />}
      {failed === undefined &&
        view === "table" &&
        (rows.value && page ? (
          <PageView
            explore={asked}
            shown={{ ...rows.value.of, view }}
            page={page}
            columns={columns.shown}
            sizes={sizes}
          />
        ) : (
          <Skeleton rows={10} />
        ))}
      {failed === undefined &&
        view === "charts" &&
        (stats.value ? <Charts explore={stats.value.of} stats={stats.value.answers} /> : <Skeleton rows={10} />)}
      {failed === undefined && view === "json" && (page ? <Json page={page} /> : <Skeleton rows={10} />)}
      {view === "code" && <Code url={`${apiUrl}/api/v1/${path}`} />}
    </section>
  );
}

/** The orders of the list, which heads of columns offer as well. */
function OrderChoice({ explore, orders, order }: { explore: ExploreState; orders: Field | undefined; order: string }) {
  const { route } = useLocation();
  if (!orders?.choices) return null;
  return (
    <select
      class="input results-order"
      aria-label="Order"
      value={order}
      onChange={(event) => route(hrefOf(restarted(explore, { sort: event.currentTarget.value })))}
    >
      {/* One that the API would refuse is shown, too. */}
      {(orders.choices.includes(order) ? orders.choices : [order, ...orders.choices]).map((one) => (
        <option key={one} value={one}>
          {shownWord(one)}
        </option>
      ))}
    </select>
  );
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  return (
    <Notice kind="warning">
      {warnings.map(({ message, parameter }) => (
        <p key={parameter + message}>{withLabels(message)}</p>
      ))}
    </Notice>
  );
}

function Json({ page }: { page: ListPage }) {
  const text = JSON.stringify(page, null, 2);
  return (
    <div class="stack">
      <p>
        <CopyButton text={text} what="the JSON" />
      </p>
      <pre class="json" tabIndex={0} role="region" aria-label="JSON">
        <code>{text}</code>
      </pre>
    </div>
  );
}

function Code({ url }: { url: string }) {
  return (
    <div class="stack">
      <p>
        The same request with a key of your account, in the environment variable <code>KEY</code>.{" "}
        <a href="/dashboard/keys">Create a key</a>
      </p>
      {snippetsOf(url).map(({ name, code }) => (
        <div key={name} class="stack snippet">
          <h3>{name}</h3>
          <CodeBlock code={code} what={`the request in ${name}`} />
        </div>
      ))}
    </div>
  );
}
