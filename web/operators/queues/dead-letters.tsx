import { useState } from "preact/hooks";
import type { DeadLetterList } from "../data.ts";
import { Done, Empty } from "../../ui/states.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";
import { useSend } from "../session.ts";

type Entry = DeadLetterList["entries"][number];
type Asked = { how: "retry" | "discard"; ids: string[] | "all" };

/** Writes that the indexer could not process: why, and what to do with them. */
export default function DeadLetters() {
  const live = useLive("/dead-letters");
  const [asked, setAsked] = useState<Asked>();
  const [said, setSaid] = useState<string>();
  return (
    <div class="stack">
      <h1>Dead letters</h1>
      <p class="muted">
        Writes, documents and jobs that the indexer could not process. They stay until they are retried or discarded.
      </p>
      <Done text={said} />
      <LivePage live={live} what="the dead letters">
        {({ total, entries }) =>
          total === 0 ? (
            <Empty title="There are no dead letters" />
          ) : (
            <>
              <div class="head">
                <p>
                  {counted(total, "dead letter")}
                  {entries.length < total && `, of which the newest ${shownNumber(entries.length)} are shown`}
                </p>
                <div class="row">
                  <button type="button" class="button" onClick={() => setAsked({ how: "retry", ids: "all" })}>
                    Retry all
                  </button>
                  <button type="button" class="button danger" onClick={() => setAsked({ how: "discard", ids: "all" })}>
                    Discard all
                  </button>
                </div>
              </div>
              <Table label="Dead letters" columns={["What", "Reason", "When", "Actions"]} class="stacks">
                {entries.map((entry) => (
                  <Row key={entry.id} entry={entry} ask={(how) => setAsked({ how, ids: [entry.id] })} />
                ))}
              </Table>
            </>
          )
        }
      </LivePage>
      {asked && (
        <Ask
          asked={asked}
          close={() => setAsked(undefined)}
          done={(text) => {
            setAsked(undefined);
            setSaid(text);
            live.reload();
          }}
        />
      )}
    </div>
  );
}

function Row({ entry, ask }: { entry: Entry; ask: (how: Asked["how"]) => void }) {
  const { id, kind, subject, reason, at, data } = entry;
  return (
    <tr>
      <td class="wrap">
        {subject}
        <div class="muted mono">
          {kind} {id}
        </div>
      </td>
      <td class="wrap">
        {reason}
        <details>
          <summary>
            Data<span class="visually-hidden"> of {subject}</span>
          </summary>
          <pre tabIndex={0} role="region" aria-label={`Data of ${subject}`}>
            {data}
          </pre>
        </details>
      </td>
      <td>
        <UtcTime of={at} />
      </td>
      <td>
        <div class="row nowrap-row">
          {kind !== "foreign" && (
            <button type="button" class="button" onClick={() => ask("retry")}>
              Retry<span class="visually-hidden"> {subject}</span>
            </button>
          )}
          <button type="button" class="button danger" onClick={() => ask("discard")}>
            Discard<span class="visually-hidden"> {subject}</span>
          </button>
        </div>
      </td>
    </tr>
  );
}

const TEXTS = {
  retry: { action: "Retry", past: "Requeued", text: "The indexer tries again. Letters that fail again come back." },
  discard: {
    action: "Discard",
    past: "Discarded",
    text: "They are deleted for good, and what they contain is not processed.",
  },
} as const;

function Ask({ asked: { how, ids }, close, done }: { asked: Asked; close: () => void; done: (said: string) => void }) {
  const send = useSend();
  const { action, past, text } = TEXTS[how];
  const which = ids === "all" ? "all dead letters" : "this dead letter";
  const run = async () => {
    const counts = await send("POST", `/dead-letters/${how}`, { ids });
    const foreign =
      counts.foreign > 0 ? ` ${counted(counts.foreign, "dead letter")} of other programs can only be discarded.` : "";
    done(`${past} ${counted(counts.done, "dead letter")}.${foreign}`);
  };
  return (
    <FormDialog title={`${action} ${which}?`} action={action} danger={how === "discard"} run={run} close={close}>
      <p>{text}</p>
      {ids !== "all" && <p class="mono">{ids.join(" ")}</p>}
    </FormDialog>
  );
}
