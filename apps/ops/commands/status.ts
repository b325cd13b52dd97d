import { Command } from "commander";
import type { Ops } from "../ops.ts";
import type { Status } from "../state/status.ts";
import { counted, shownNumber } from "../terminal/numbers.ts";
import { table } from "../terminal/table.ts";
import { rebuildText } from "../rebuild/text.ts";

export function statusCommand(ops: Ops): Command {
  return new Command("status")
    .summary("Show the state of the installation")
    .description("Show queues, indices with their documents (deleted ones not counted), dead letters and generations.")
    .addHelpText("after", "\nExamples:\n  ops status\n  ops status --json | jq '.queues[].waiting'")
    .action(async () => {
      const { readStatus } = await import("../state/status.ts");
      const status = await readStatus(await ops.engines());
      ops.terminal.show(status, statusText(status));
    });
}

/** The status as people read it. */
export function statusText(status: Status): string {
  const queues = status.queues.map((each) => [
    each.queue,
    shownNumber(each.waiting),
    shownNumber(each.active),
    shownNumber(each.delayed),
    shownNumber(each.failed),
    each.oldest_waiting_seconds === null ? "" : `${shownNumber(each.oldest_waiting_seconds)} s`,
    each.workers,
  ]);
  const indices = status.indices.map((each) => [each.index, each.role ?? "none", shownNumber(each.documents)]);
  const { count, last_at } = status.dead_letters;
  const generations = Object.entries(status.generations).map(([model, number]) => `${model} ${number ?? "none yet"}`);
  const jobs = status.queues.reduce((sum, each) => sum + each.failed, 0);
  return [
    `${status.namespace} on ${status.elasticsearch} and ${status.redis}, clock at ${status.now}`,
    table(["queue", "waiting", "active", "delayed", "failed", "oldest waits", "workers"], queues, ""),
    table(["index", "role", "documents"], indices, ""),
    `Put aside: ${counted(count, "write or document", "writes and documents")}${last_at ? `, the last at ${last_at}` : ""}; failed: ${counted(jobs, "job")}` +
      (count + jobs > 0 ? ". `ops failed list` shows them." : ""),
    `Generations: ${generations.join(", ")}. Accounts: ${shownNumber(status.accounts)}.`,
    ...(status.rebuild ? [`Last rebuild: ${rebuildText(status.rebuild)}`] : []),
    ...status.redis_losses.map(lossText),
  ].join("\n");
}

function lossText({ at, runs }: Status["redis_losses"][number]): string {
  const named = runs.map(({ files, started_at }) => `\n  ${files.join(" ")} (ingest of ${started_at})`);
  const lost =
    runs.length === 0
      ? "no `ops ingest` was under way; what other programs had enqueued is lost"
      : `ingest these again, for writes of theirs may be lost:${named.join("")}`;
  return `At ${at} Redis was found without its data: every document was derived afresh; ${lost}`;
}
