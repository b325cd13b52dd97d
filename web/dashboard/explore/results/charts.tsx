import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";
import { BarTable } from "../../../ui/bar-table.tsx";
import { Empty } from "../../../ui/states.tsx";
import { countryName, money } from "../../format.ts";
import { filtersOf, hrefOf, type ExploreState, restarted } from "../request/explore-state.ts";
import { writeParams } from "../request/params.ts";
import "./charts.css";
import type { Group, Stats } from "./stats.ts";
import { TimelineCharts } from "./timeline-charts.tsx";

/** The dimensions that the charts of a list need, each a request; `undefined` for a list without statistics. */
export const DIMENSIONS: Readonly<Partial<Record<ListName, readonly string[]>>> = {
  funding: ["month", "country", "deal_type"],
  signals: ["signal", "country", "score_band"],
};
/** The results in figures. A click on a group's name selects it. */
export function Charts({ explore, stats }: { explore: ExploreState; stats: readonly Stats[] }) {
  if (stats[0]!.total.count === 0) return <Empty title="Nothing matches these filters" />;
  return explore.list === "funding" ? (
    <FundingCharts explore={explore} stats={stats} />
  ) : (
    <SignalsCharts explore={explore} stats={stats} />
  );
}

function FundingCharts({
  explore,
  stats: [months, countries, types],
}: {
  explore: ExploreState;
  stats: readonly Stats[];
}) {
  const groups = (of: Stats, valueOf?: (group: Group) => number) => barsOf(explore, of, valueOf);
  const amountOf = (group: Group) => group.total_amount_usd ?? 0;
  return (
    <div class="charts">
      {/* Another request begins with nothing of this one. */}
      <TimelineCharts
        key={writeParams(filtersOf(explore.params))}
        params={filtersOf(explore.params)}
        months={months!}
      />
      <div class="card">
        <BarTable title="Rounds by country" nameOf="Country" valueOf="Rounds" bars={groups(countries!)} />
      </div>
      <div class="card">
        <BarTable
          title="Amounts of these countries"
          nameOf="Country"
          valueOf="Amount"
          bars={groups(countries!, amountOf)}
          colour="--series-3"
          format={money}
        />
      </div>
      <div class="card">
        <BarTable title="Rounds by deal type" nameOf="Deal type" valueOf="Rounds" bars={groups(types!)} />
      </div>
      <div class="card">
        <BarTable
          title="Amounts of these deal types"
          nameOf="Deal type"
          valueOf="Amount"
          bars={groups(types!, amountOf)}
          colour="--series-3"
          format={money}
        />
      </div>
    </div>
  );
}

function SignalsCharts({
  explore,
  stats: [signals, countries, scores],
}: {
  explore: ExploreState;
  stats: readonly Stats[];
}) {
  const bands = scores!.data.filter((group) => group.key !== null).toSorted((a, b) => Number(a.key) - Number(b.key));
  return (
    <div class="charts">
      <div class="card">
        <BarTable title="Companies by signal" nameOf="Signal" valueOf="Companies" bars={barsOf(explore, signals!)} />
      </div>
      <div class="card">
        <BarTable
          title="Average score of these companies"
          nameOf="Signal"
          valueOf="Average score"
          bars={barsOf(explore, signals!, (group) => group.average_score ?? 0)}
          colour="--series-3"
          format={(value) => value.toFixed(1)}
        />
      </div>
      <div class="card">
        <BarTable
          title="Companies by country"
          nameOf="Country"
          valueOf="Companies"
          bars={barsOf(explore, countries!)}
        />
      </div>
      <div class="card">
        <BarTable
          title="Companies by score"
          nameOf="Score"
          valueOf="Companies"
          bars={barsOf(explore, { data: bands })}
        />
      </div>
    </div>
  );
}

const countOf = (group: Group) => group.count;

/** A bar for each group. A click on its name selects it in Explore. */
export function barsOf(explore: ExploreState, { data }: Pick<Stats, "data">, valueOf = countOf) {
  return data.map((group) => ({
    key: group.key ?? "",
    name: nameOf(group),
    value: valueOf(group),
    ...(group.filters === null ? {} : { href: hrefOf({ ...selected(explore, group.filters), view: "table" }) }),
  }));
}

/** Countries have their short names here, as in tables: bars leave little room. */
const nameOf = ({ key, name, filters }: Group): string =>
  filters !== null && "country" in filters && key !== null ? countryName(key) : (name ?? "Unknown");

const selected = (explore: ExploreState, filters: NonNullable<Group["filters"]>): ExploreState =>
  restarted(explore, Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, String(value)])));
