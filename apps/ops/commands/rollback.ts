import { Command } from "commander";
import type { Ops } from "../context/ops.ts";

export function rollbackCommand(ops: Ops): Command {
  return new Command("rollback")
    .summary("Go back to the indices from before the last rebuild")
    .description(
      "Make the indices from before the last rebuild live again. They are kept up to date until then, so no write is lost. " +
        "Run it again to undo.",
    )
    .action(async () => {
      const { rollBack } = await import("@tranche/operations/rebuild/by-operators");
      const { auditLogHere } = await import("../context/operator.ts");
      const live = await rollBack(await ops.engines(), await auditLogHere(ops));
      ops.terminal.show(
        { live },
        `Rolled back. Live now: ${Object.values(live).join(", ")}. To undo, run \`ops rollback\` again.`,
      );
    });
}
