import type { RunView } from "../../../libs/intake/http/run-view.ts";
import { Badge } from "../parts/badge.tsx";

/** How far a run is, in a word. */
export function RunState({ run: { state, rows, enqueued, refusals } }: { run: RunView }) {
  if (state === "failed" || state === "broken") return <Badge mood="danger">{state}</Badge>;
  if (state === "reading") return <Badge>reading</Badge>;
  if (enqueued === 0 && refusals.length > 0) return <Badge mood="danger">nothing read</Badge>;
  if (state === "queued") return <Badge>in the queue</Badge>;
  return refusals.length > 0 || (rows?.refused ?? 0) > 0 ? (
    <Badge mood="warning">done, with refusals</Badge>
  ) : (
    <Badge mood="good">done</Badge>
  );
}
