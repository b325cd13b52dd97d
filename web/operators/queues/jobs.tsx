import type { QueueView } from "../data.ts";
import { shownNumber } from "../parts/figures.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import type { JobState } from "./place.ts";

type Job = QueueView["jobs"][number];
type Retry = ((id: string) => void) | undefined;

const TIMES = { waiting: "Created", delayed: "Created", active: "Started", failed: "Failed" } as const;

/** Jobs of one queue in one state. */
export function Jobs({ state, jobs, retry }: { state: JobState; jobs: readonly Job[]; retry: Retry }) {
  const columns: Column[] = ["Job", TIMES[state], { name: "Attempts", number: true }];
  const last = retry ? ["Reason and data", "Actions"] : ["Data"];
  return (
    <Table label="Jobs" columns={[...columns, ...last]}>
      {jobs.map((job) => (
        <Row key={job.id} job={job} retry={retry} />
      ))}
    </Table>
  );
}

function Row({ job: { id, name, at, attempts, reason, data }, retry }: { job: Job; retry: Retry }) {
  return (
    <tr>
      <td class="job">
        {name ?? "unknown"}
        <div class="muted mono">{id}</div>
      </td>
      <td>
        <UtcTime of={at} />
      </td>
      <td class="number">{attempts === null ? "–" : shownNumber(attempts)}</td>
      <td class="wrap">
        {reason}
        {data !== null && (
          <details>
            <summary>
              Data<span class="visually-hidden"> of job {id}</span>
            </summary>
            <pre tabIndex={0} role="region" aria-label={`Data of job ${id}`}>
              {data}
            </pre>
          </details>
        )}
      </td>
      {retry && (
        <td>
          {name !== null && (
            <button type="button" class="button" onClick={() => retry(id)}>
              Retry<span class="visually-hidden"> job {id}</span>
            </button>
          )}
        </td>
      )}
    </tr>
  );
}
