import { Command } from "commander";
import type { Ops } from "../ops.ts";

export function rollbackCommand(ops: Ops): Command {
  return new Command("rollback")
    .summary("Go back to the indices from before the last rebuild")
    .description(
      "Make the indices from before the last rebuild live again. They are kept up to date until then, so no write is lost.\n" +
        "Run it again to undo.",
    )
    .action(async () => {
      const { rollback } = await import("../rebuild/rollback.ts");
      const { auditedHere } = await import("../audit/operator.ts");
      const engines = await ops.engines();
      const shown = (now: Record<string, string>) => ({ live: Object.values(now).join(", ") });
      const live = await auditedHere(ops, "rollback", {}, () => rollback(engines), shown);
      ops.terminal.show(
        { live },
        `Rolled back. Live now: ${Object.values(live).join(", ")}. To undo, run \`ops rollback\` again.`,
      );
    });
}
