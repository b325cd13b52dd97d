import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

export function statusCommand(ops: Ops): Command {
  return new Command("status")
    .summary("Show the state of the installation")
    .description(
      "Show the health of the engines, lag, dead letters, the last ingest, queues, indices with their documents (deleted ones not " +
        "counted) and the last rebuild.",
    )
    .addHelpText("after", "\nExamples:\n  ops status\n  ops status --json | jq '.queues[].waiting'")
    .action(async () => {
      const { readStatus } = await import("@tranche/operations/status/status");
      const { statusText } = await import("../texts/status.ts");
      const status = await readStatus(await ops.engines(), ops.version);
      ops.terminal.show(status, statusText(status, ops.terminal.paint));
    });
}
