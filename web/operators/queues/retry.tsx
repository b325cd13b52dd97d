import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";

/** Asks before failed jobs are retried, and does it. */
export function Retry({
  queue,
  ids,
  close,
  done,
}: {
  queue: string;
  ids: string[] | "all";
  close: () => void;
  done: (retried: number) => void;
}) {
  const send = useSend();
  const run = async () => {
    const counts = await send("POST", `/queues/${encodeURIComponent(queue)}/retry`, { ids });
    done(counts.done);
  };
  const which = ids === "all" ? "all failed jobs" : "this job";
  return (
    <FormDialog title={`Retry ${which} of ${queue}?`} action="Retry" run={run} close={close}>
      <p>An indexer tries again. Jobs that fail again come back.</p>
      {ids !== "all" && <p class="mono">{ids.join(" ")}</p>}
    </FormDialog>
  );
}
