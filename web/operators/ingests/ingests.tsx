import type { IngestView } from "../../../apps/operators/routes/ingests.ts";
import { Empty } from "../../ui/states.tsx";
import { Badge } from "../parts/badge.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../parts/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";

/** The last runs of `ops ingest`, with what they refused. */
export default function Ingests() {
  const live = useLive<IngestView[]>("/ingests");
  return (
    <div class="stack">
      <h1>Ingests</h1>
      <LivePage live={live} what="the ingests">
        {(runs) =>
          runs.length === 0 ? (
            <Empty title="Nothing was ingested yet">
              <p>
                Load a file with <code>ops ingest FILE</code>. Other programs may add jobs to the queue; those do not
                show here.
              </p>
            </Empty>
          ) : (
            <Table
              label="Ingests"
              columns={["Started", "Files", "State", { name: "Enqueued", number: true }, "Refused"]}
            >
              {runs.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </Table>
          )
        }
      </LivePage>
    </div>
  );
}

function Run({ run }: { run: IngestView }) {
  const { refused, refusals } = run;
  const ofFiles = refusals.filter(isOfFile);
  const ofLines = refusals.filter((refusal) => !isOfFile(refusal));
  return (
    <tr>
      <td>
        <UtcTime of={run.started_at} />
      </td>
      <td class="wrap">{run.files.join(", ")}</td>
      <td>
        <State run={run} />
      </td>
      <td class="number">{shownNumber(run.enqueued)}</td>
      <td class="wrap">
        {refused === null ? "not known" : refused > 0 ? counted(refused, "line") : ofFiles.length === 0 && "none"}
        <Reasons of={ofFiles} />
        {ofLines.length > 0 && (
          <details>
            <summary>{ofLines.length === refused ? "What is wrong with them" : `The first ${ofLines.length}`}</summary>
            <Reasons of={ofLines} />
          </details>
        )}
      </td>
    </tr>
  );
}

function Reasons({ of }: { of: IngestView["refusals"] }) {
  if (of.length === 0) return null;
  return (
    <ul class="refusals">
      {of.map((refusal) => (
        <li key={`${refusal.file} ${refusal.line ?? refusal.element}`}>
          <span class="mono">{placeOf(refusal)}</span>
          {refusal.problems.map(({ field, reason }) => (
            <div key={field + reason}>
              {field !== "" && <code>{field}</code>} {reason}
            </div>
          ))}
        </li>
      ))}
    </ul>
  );
}

/** The faults of a file as a whole, such as that it can't be read. */
const isOfFile = ({ line, element }: IngestView["refusals"][number]) => line === undefined && element === undefined;

const placeOf = ({ file, line, element }: IngestView["refusals"][number]): string => {
  if (line !== undefined) return `${file}:${line}`;
  return element === undefined ? file : `${file}, element ${element}`;
};

function State({ run: { enqueued_at, enqueued, done, refused, refusals } }: { run: IngestView }) {
  if (enqueued_at === null)
    return <Badge mood={done ? "danger" : "warning"}>{done ? "interrupted" : "reading or interrupted"}</Badge>;
  if (!done) return <Badge>in the queue</Badge>;
  if (enqueued === 0 && refusals.length > 0) return <Badge mood="danger">nothing read</Badge>;
  return refusals.length > 0 || refused ? (
    <Badge mood="warning">done, with refusals</Badge>
  ) : (
    <Badge mood="good">done</Badge>
  );
}
