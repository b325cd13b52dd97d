import { useState } from "preact/hooks";
import type { RebuildView } from "../data.ts";
import { Empty } from "../../ui/states.tsx";
import { Badge, type Mood } from "../parts/badge.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { shownDuration, shownNumber, shownPercent } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { Table } from "../../ui/table.tsx";
import { UtcTime } from "../parts/utc-time.tsx";
import { useLive } from "../parts/use-live.ts";
import { useSend } from "../session.ts";

type Rebuild = NonNullable<RebuildView["rebuild"]>;
type Action = "start" | "cancel" | "rollback";

const EVERY_SECONDS_RUNNING = 2;

/** The last rebuild of the search indices, with its progress. */
export default function Rebuilds() {
  const live = useLive("/rebuild", EVERY_SECONDS_RUNNING);
  const [asked, setAsked] = useState<Action>();
  return (
    <div class="stack">
      <h1>Rebuilds</h1>
      <p class="muted">
        A rebuild makes new search indices from the records, compares them with the live ones and swaps. Reads and
        writes continue.
      </p>
      <LivePage live={live} what="the last rebuild">
        {(view) => (
          <>
            <div class="row">
              {!view.running && (
                <button type="button" class="button primary" onClick={() => setAsked("start")}>
                  Start a rebuild
                </button>
              )}
              {view.running && (
                <button type="button" class="button danger" onClick={() => setAsked("cancel")}>
                  Cancel the rebuild
                </button>
              )}
              {view.can_roll_back && (
                <button type="button" class="button danger" onClick={() => setAsked("rollback")}>
                  {view.rolled_back ? "Undo the rollback" : "Roll back"}
                </button>
              )}
            </div>
            {view.rebuild === null ? (
              <Empty title="There has been no rebuild yet" />
            ) : (
              <Last rebuild={view.rebuild} view={view} />
            )}
            <Roles roles={view.roles} />
          </>
        )}
      </LivePage>
      {asked && (
        <Ask
          action={asked}
          close={() => setAsked(undefined)}
          done={() => {
            setAsked(undefined);
            live.reload();
          }}
        />
      )}
    </div>
  );
}

const STATES: Record<Rebuild["state"], readonly [text: string, mood: Mood]> = {
  planned: ["waiting for an indexer", "plain"],
  created: ["creating the new indices", "plain"],
  copying: ["copying", "plain"],
  verifying: ["comparing with the live indices", "plain"],
  swapped: ["done", "good"],
  retired: ["done, can no longer be rolled back", "good"],
  cancelled: ["cancelled", "warning"],
  failed: ["failed, nothing has changed", "danger"],
};

function Last({ rebuild, view: { running, rolled_back } }: { rebuild: Rebuild; view: RebuildView }) {
  const [text, mood] = rolled_back ? (["rolled back", "warning"] as const) : STATES[rebuild.state];
  const { written, expected, started_at, updated_at } = rebuild;
  const seconds = (Date.parse(updated_at) - Date.parse(started_at)) / 1000;
  return (
    <section class="card stack">
      <div class="head">
        <h2>Rebuild {rebuild.id}</h2>
        <Badge mood={mood}>{text}</Badge>
      </div>
      {running && expected > 0 && (
        <div>
          <progress aria-label="Progress of the rebuild" max={expected} value={Math.min(written, expected)} />
          <p class="muted">
            {shownNumber(written)} of about {shownNumber(expected)} documents (
            {shownPercent(Math.min(1, written / expected))})
          </p>
        </div>
      )}
      <Facts
        of={[
          ["Started", <UtcTime of={started_at} />],
          [running ? "Last progress" : "Last change", <UtcTime of={updated_at} />],
          ["Took", rebuild.state === "swapped" && shownDuration(seconds)],
          ["Documents", !running && written > 0 && shownNumber(written)],
          ["Reason", rebuild.reason],
        ]}
      />
    </section>
  );
}

function Roles({ roles }: { roles: RebuildView["roles"] }) {
  return (
    <section class="stack">
      <h2>Indices</h2>
      <Table label="Roles of the indices" columns={["Read model", "Live", "Building", "Previous"]}>
        {Object.entries(roles).map(([model, { live, building, previous }]) => (
          <tr key={model}>
            <td>{model}</td>
            {[live, building, previous].map((index, n) => (
              <td key={n} class="mono">
                {index ?? "–"}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}

const ASKED: Record<Action, { title: string; action: string; danger: boolean; text: string }> = {
  start: {
    title: "Start a rebuild?",
    action: "Start",
    danger: false,
    text: "It needs room for a second copy of the search indices, and keeps the indexers busy for a while.",
  },
  cancel: {
    title: "Cancel the rebuild?",
    action: "Cancel the rebuild",
    danger: true,
    text: "The live indices stay as they are. The copy is deleted.",
  },
  rollback: {
    title: "Swap with the previous indices?",
    action: "Swap",
    danger: true,
    text: "The indices from before the last swap become live at once. Both are kept up to date, so no write is lost, and the same step undoes it.",
  },
};

function Ask({ action, close, done }: { action: Action; close: () => void; done: () => void }) {
  const send = useSend();
  const { title, text, ...rest } = ASKED[action];
  const run = async () => {
    await send("POST", `/rebuild/${action}`);
    done();
  };
  return (
    <FormDialog title={title} {...rest} run={run} close={close}>
      <p>{text}</p>
    </FormDialog>
  );
}
