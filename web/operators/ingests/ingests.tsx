import { Empty } from "../../ui/states.tsx";
import { shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLiveOf } from "../parts/use-live.ts";
import { UtcTime } from "../parts/utc-time.tsx";
import { RunState } from "./run-state.tsx";
import { readRuns, RUNS_PATH } from "./runs.ts";

/** The last runs of `ops ingest` and of uploads. Each leads to its page. */
export default function Ingests() {
  const live = useLiveOf(RUNS_PATH, readRuns);
  return (
    <div class="stack">
      <div class="head">
        <h1>Ingests</h1>
        <a class="button primary" href="/operators/ingests/new">
          Ingest a file
        </a>
      </div>
      <LivePage live={live} what="the ingests">
        {(runs) =>
          runs.length === 0 ? (
            <Empty title="Nothing was ingested yet">
              <p>
                <a href="/operators/ingests/new">Ingest a file</a> here, with <code>ops ingest FILE</code>, or send it
                to <code>POST /ingest</code>. Other programs may add jobs to the queue; those do not show here.
              </p>
            </Empty>
          ) : (
            <Table
              label="Ingests"
              columns={[
                "Started",
                "State",
                "Files",
                { name: "Enqueued", number: true },
                { name: "Refused", number: true },
                "Set",
              ]}
              class="stacks"
            >
              {runs.map((run) => (
                <tr key={run.run}>
                  <td>
                    <a href={`/operators/ingests/${encodeURIComponent(run.run)}`}>
                      <UtcTime of={run.started_at} />
                    </a>
                  </td>
                  <td>
                    <RunState run={run} />
                  </td>
                  <td class="wrap">{run.files.join(", ")}</td>
                  <td class="number" data-head="Enqueued">
                    {run.enqueued === null ? "–" : shownNumber(run.enqueued)}
                  </td>
                  <td class="number" data-head="Refused">
                    {run.rows === null ? "–" : shownNumber(run.rows.refused)}
                  </td>
                  <td data-head="Set">{run.set ?? ""}</td>
                </tr>
              ))}
            </Table>
          )
        }
      </LivePage>
    </div>
  );
}
