import { useRoute } from "preact-iso";
import type { RunView } from "../../../libs/intake/http/run-view.ts";
import { Notice } from "../../ui/states.tsx";
import { Facts } from "../parts/facts.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { useLiveOf } from "../parts/use-live.ts";
import { UtcTime } from "../parts/utc-time.tsx";
import { RunState } from "./run-state.tsx";
import { readRun, runPath } from "./runs.ts";

/** Somebody who waits for a run looks at it. */
const EVERY_SECONDS_RUN = 2;

/** A run: how far it is, what it refused, and what became of rows that were read, but not as they are. */
export default function Run() {
  const { run } = useRoute().params as { run: string };
  const live = useLiveOf(runPath(run), readRun, EVERY_SECONDS_RUN);
  return (
    <div class="stack">
      <p>
        <a href="/operators/ingests">All ingests</a>
      </p>
      {!live.value && <h1>Ingest</h1>}
      <LivePage live={live} what="the run">
        {(view) => (
          <>
            <div class="head">
              <h1 class="anywhere">{view.files.join(", ")}</h1>
              <RunState run={view} />
            </div>
            {view.reason !== null && (
              <Notice kind="warning">
                <p>
                  It did not read everything: {view.reason}. What it read before is in. Send the file again: records
                  that are in already stay as they are.
                </p>
              </Notice>
            )}
            {view.set !== null && <KeptSet run={view} />}
            <section class="card">
              <Figures run={view} />
            </section>
            <Refusals run={view} />
            <Notices of={view.notices} />
          </>
        )}
      </LivePage>
    </div>
  );
}

/** Why nothing of the set was deleted, and what to do. */
function KeptSet({ run: { set, rows, reason, deletions } }: { run: RunView }) {
  const isRefused = deletions?.state === "refused";
  if (!isRefused && reason === null && (rows?.refused ?? 0) === 0) return null;
  return (
    <Notice kind="warning">
      <p>
        Nothing of the set '{set}' was deleted:{" "}
        {isRefused
          ? "too many of its records are missing. If they are really gone, send the file again and let more than 20 % go."
          : "that needs a file that is read to its end without refusals."}
      </p>
    </Notice>
  );
}

function Figures({ run }: { run: RunView }) {
  const { rows, last, deletions } = run;
  return (
    <Facts
      of={[
        ["Run", <span class="mono">{run.run}</span>],
        ["Started", <UtcTime of={run.started_at} />],
        ["All in the queue", run.enqueued_at !== null && <UtcTime of={run.enqueued_at} />],
        ["Sent by", run.by],
        ["Mapping", run.map !== null && <a href={`/operators/mappings/${encodeURIComponent(run.map)}`}>{run.map}</a>],
        ["Set", run.set],
        ["Rows read", rows && shownNumber(rows.read)],
        ["Rows that gave records", rows && shownNumber(rows.with_records)],
        ["Rows refused", rows && shownNumber(rows.refused)],
        ["Rows left out by the mapping", rows && rows.skipped > 0 && shownNumber(rows.skipped)],
        ["Records in the queue", run.enqueued !== null && shownNumber(run.enqueued)],
        ["Read last", last && run.enqueued_at === null && placeOf(last)],
        ["Deletions", deletions && `${DELETIONS[deletions.state]}: ${counted(deletions.deleted, "record")}`],
      ]}
    />
  );
}

const DELETIONS: Record<NonNullable<RunView["deletions"]>["state"], string> = {
  refused: "refused, because too many would have gone",
  "not allowed": "not allowed for its token",
  due: "under way",
  done: "done",
  "given up": "given up, because not everything was stored",
};

type Place = RunView["refusals"][number];

const placeOf = ({ file, line, element }: Pick<Place, "file" | "line" | "element">): string => {
  if (line !== undefined) return `${file}:${line}`;
  return element === undefined ? file : `${file}, element ${element}`;
};

function Refusals({ run: { refusals, rows } }: { run: RunView }) {
  if (refusals.length === 0) return null;
  const more = (rows?.refused ?? 0) - refusals.length;
  return (
    <section class="stack">
      <h2>Refused</h2>
      <p class="muted">
        Good rows are in. Correct these in the file and send it again.
        {more > 0 && ` ${counted(more, "more row")} refused; ops ingest --rejects FILE writes all of them to a file.`}
      </p>
      <Table label="Refusals" columns={["Where", "What is wrong"]} class="stacks">
        {refusals.map((refusal) => (
          <tr key={placeOf(refusal)}>
            <td class="mono nowrap">{placeOf(refusal)}</td>
            <td class="wrap">
              {refusal.problems.map(({ field, reason }) => (
                <div key={field + reason}>
                  {field !== "" && <code>{field}</code>} {reason}
                </div>
              ))}
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

function Notices({ of }: { of: RunView["notices"] }) {
  if (of.length === 0) return null;
  return (
    <section class="stack">
      <h2>To look at</h2>
      <ul class="items">
        {of.map(({ text, examples, more }) => (
          <li key={text}>
            <div>
              <p>{text}</p>
              {examples.length > 0 && (
                <p class="muted anywhere">
                  {examples.join(", ")}
                  {more > 0 && `, and ${shownNumber(more)} more`}
                </p>
              )}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
