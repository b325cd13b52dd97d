import type { StatusView } from "../data.ts";
import { Facts } from "../parts/facts.tsx";
import { counted, shownDuration, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { EVERY_SECONDS, useLive } from "../parts/use-live.ts";
import { QueueTable } from "../parts/queue-table.tsx";
import { Engines } from "./engines.tsx";
import { Notice } from "../../ui/states.tsx";
import { problemsOf } from "./problems-of.ts";

/** The state of the installation, as `ops status` shows it. */
export default function Health() {
  const live = useLive("/status");
  return (
    <div class="stack">
      <h1>Health</h1>
      <LivePage live={live} what="the state of the installation">
        {(status) => (
          <>
            <p class="muted">
              Tranche {status.versions.tranche}, namespace {status.namespace}, read again every {EVERY_SECONDS} s.
            </p>
            <Problems status={status} />
            <div class="tiles">
              <Work status={status} />
              <Engines status={status} />
            </div>
            <section class="stack">
              <h2>Queues</h2>
              <QueueTable queues={status.queues} />
            </section>
            <Indices status={status} />
          </>
        )}
      </LivePage>
    </div>
  );
}

function Work({ status }: { status: StatusView }) {
  const { lag, last_ingest: ingest, rebuild, dead_letters: letters } = status;
  const after = lag.searchable_after;
  const dead = letters.count + letters.failed_jobs;
  return (
    <section class="card stack">
      <h2>Work</h2>
      <Facts
        of={[
          [
            "Oldest open job",
            lag.oldest_job_seconds === null ? "none" : `${shownDuration(lag.oldest_job_seconds)} old`,
          ],
          [
            "Until searchable",
            after === null ? "no recent job" : `${after.median_seconds} s, at most ${after.slowest_seconds} s`,
          ],
          ["Dead letters", dead === 0 ? "none" : <a href="/operators/dead-letters">{shownNumber(dead)}</a>],
          ["Last ingest", ingest === null ? "none yet" : <a href="/operators/ingests">{ingestText(ingest)}</a>],
          [
            "Last rebuild",
            rebuild === null ? (
              "none yet"
            ) : (
              <a href="/operators/rebuilds">{status.rolled_back ? "rolled back" : rebuild.state}</a>
            ),
          ],
          ["Accounts", <a href="/operators/accounts">{shownNumber(status.accounts)}</a>],
          ["Clock for signals", <UtcTime of={status.now} />],
        ]}
      />
    </section>
  );
}

const ingestText = ({ enqueued, refused, read_nothing }: NonNullable<StatusView["last_ingest"]>): string =>
  read_nothing === null
    ? `${counted(enqueued, "record")}${refused ? `, ${shownNumber(refused)} refused` : ""}`
    : "nothing was read";

function Indices({ status }: { status: StatusView }) {
  const generations = Object.entries(status.generations).map(([model, number]) => `${model} ${number ?? "none yet"}`);
  return (
    <section class="stack">
      <h2>Indices</h2>
      <Table label="Indices" columns={["Index", "Role", { name: "Documents", number: true }]}>
        {status.indices.map(({ index, role, documents }) => (
          <tr key={index}>
            <td class="mono">{index}</td>
            <td>{role ?? "none"}</td>
            <td class="number">{documents === null ? "shards are away" : shownNumber(documents)}</td>
          </tr>
        ))}
      </Table>
      <p class="muted">Generations of what is searchable: {generations.join(", ")}.</p>
    </section>
  );
}

/** The problems that an operator should check, worst first; if there are none, it says so. */
function Problems({ status }: { status: StatusView }) {
  const problems = problemsOf(status);
  if (problems.length === 0) {
    return (
      <Notice>
        <p>Nothing needs attention.</p>
      </Notice>
    );
  }
  return (
    <Notice kind={problems.some(({ kind }) => kind === "danger") ? "danger" : "warning"}>
      <ul class="problems">
        {problems.map(({ text, todo }) => (
          <li key={text}>
            <strong>{text}</strong> {todo}
          </li>
        ))}
      </ul>
    </Notice>
  );
}
