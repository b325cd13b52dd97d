import type { StatusView } from "../../../apps/api/operators/routes/status.ts";
import { Facts } from "../parts/facts.tsx";
import { counted, shownDuration, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../parts/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { EVERY_SECONDS, useLive } from "../parts/use-live.ts";
import { Engines } from "./engines.tsx";
import { Problems } from "./problems.tsx";

/** The state of the installation, as `ops status` shows it. */
export default function Health() {
  const live = useLive<StatusView>("/status");
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
            <Queues queues={status.queues} />
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

const ingestText = ({ enqueued, refused }: NonNullable<StatusView["last_ingest"]>): string =>
  `${counted(enqueued, "record")}${refused ? `, ${shownNumber(refused)} refused` : ""}`;

function Queues({ queues }: { queues: StatusView["queues"] }) {
  return (
    <section class="stack">
      <div class="head">
        <h2>Queues</h2>
        <a href="/queues" target="_blank" rel="noreferrer">
          Jobs one by one (Bull Board)
        </a>
      </div>
      <Table
        label="Queues"
        columns={[
          "Queue",
          { name: "Waiting", number: true },
          { name: "Active", number: true },
          { name: "Delayed", number: true },
          { name: "Failed", number: true },
          { name: "Oldest waiting", number: true },
          { name: "Workers", number: true },
        ]}
      >
        {queues.map((each) => (
          <tr key={each.queue}>
            <td>{each.queue}</td>
            <td class="number">{shownNumber(each.waiting)}</td>
            <td class="number">{shownNumber(each.active)}</td>
            <td class="number">{shownNumber(each.delayed)}</td>
            <td class="number">{shownNumber(each.failed)}</td>
            <td class="number nowrap">
              {each.oldest_waiting_seconds === null ? "–" : shownDuration(each.oldest_waiting_seconds)}
            </td>
            <td class="number">{each.workers}</td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

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
