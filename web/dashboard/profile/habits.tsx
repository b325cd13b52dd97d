import { BarTable } from "../../ui/bar-table.tsx";
import { Chart } from "../../ui/chart.tsx";
import { requestJson } from "../../ui/request.ts";
import { Skeleton } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { type Params, writeParams } from "../explore/request/params.ts";
import { ApiFailed } from "../explore/results/api-failed.tsx";
import { barsOf } from "../explore/results/charts.tsx";
import "../explore/results/charts.css";
import { investorHref } from "../explore/results/columns.tsx";
import type { Stats } from "../explore/results/stats.ts";
import { API } from "../session.ts";

const MOST_SHOWN = 8;
/** The dimensions, each a request of the account; one after another, because an account may have few of them at once. */
const DIMENSIONS = ["investor", "deal_type", "country", "year"] as const;

/** With whom an investor invests, at which stages, where and how often. `filter` selects its rounds. */
export function Habits({ id, filter }: { id: string; filter: Params }) {
  const loaded = useLoad(id, async (signal) => {
    const answers: Stats[] = [];
    for (const dimension of DIMENSIONS) {
      // One more than is shown, because the investor is among its own co-investors.
      const limit = dimension === "year" ? 1000 : MOST_SHOWN + 1;
      const query = writeParams([...filter, ["group_by", dimension], ["limit", String(limit)]]);
      answers.push((await requestJson<Stats>(`${API}/v1/funding/stats?${query}`, { signal })).body);
    }
    return answers;
  });
  if (loaded.state === "failed") return <ApiFailed error={loaded.error} retry={loaded.reload} />;
  if (!loaded.value) return <Skeleton rows={6} />;
  const [together, stages, countries, years] = loaded.value as [Stats, Stats, Stats, Stats];
  const others = together.data.filter((group) => group.id !== id).slice(0, MOST_SHOWN);
  const explore = { list: "funding", params: filter, view: "table", page: 1 } as const;
  const pace = years.data.filter(({ key }) => key !== null);
  return (
    <section class="charts" aria-labelledby="habits-name">
      <h2 id="habits-name" class="visually-hidden">
        How it invests
      </h2>
      <div class="card chart-wide">
        <Chart
          title="Rounds by year"
          pointName="Year"
          points={pace.map(({ key }) => key!)}
          series={[{ name: "Rounds", values: pace.map(({ count }) => count), colour: "--series-1" }]}
          newestFirst
        />
      </div>
      <div class="card">
        {others.length === 0 ? (
          <p class="muted">It has always invested alone.</p>
        ) : (
          <BarTable
            title="Invests with"
            nameOf="Investor"
            valueOf="Rounds together"
            bars={others.map(({ id: other, key, name, count }) => ({
              key: key ?? "",
              name: name ?? "Unknown",
              value: count,
              ...(other ? { href: investorHref(other) } : {}),
            }))}
          />
        )}
      </div>
      <div class="card">
        <BarTable
          title="Stages"
          nameOf="Deal type"
          valueOf="Rounds"
          bars={barsOf(explore, stages).slice(0, MOST_SHOWN)}
        />
      </div>
      <div class="card">
        <BarTable
          title="Countries"
          nameOf="Country"
          valueOf="Rounds"
          bars={barsOf(explore, countries).slice(0, MOST_SHOWN)}
        />
      </div>
    </section>
  );
}
