import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { isRunning, RebuildMoved } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { RebuildParts } from "./parts.ts";

const HOUR_MS = 3_600_000;

/**
 * Retires the previous indices `keptHours` after the swap. While they are kept for a rollback, every write is made twice. `prune`
 * deletes indices without a role. `now`: real time in ms.
 */
export async function retire(
  parts: Pick<RebuildParts, "client" | "names" | "rebuilds" | "log">,
  { keptHours, now }: { keptHours: number; now: number },
): Promise<void> {
  const { client, names, rebuilds, log } = parts;
  const read = await rebuilds.read();
  if (!read || isRunning(read.rebuild) || now - Date.parse(read.rebuild.updated_at) < keptHours * HOUR_MS) return;
  const roles = await readIndexRoles(client, names);
  const changes = READ_MODELS.flatMap((model) => {
    const from = roles[model].previous;
    return from ? [{ model, role: "previous" as const, from }] : [];
  });
  if (changes.length === 0) return;
  try {
    // Saved first, because a rebuild that is planned meanwhile relies on the roles that it finds.
    if (read.rebuild.state === "swapped") await rebuilds.save(read, { state: "retired" });
  } catch (error) {
    if (error instanceof RebuildMoved) return;
    throw error;
  }
  if (await moveRoles(client, names, changes)) {
    log.info(
      { indices: changes.map(({ from }) => from) },
      "the indices from before the last rebuild are no longer kept",
    );
  }
}
