import { withTimeLimit } from "@tranche/shared/process/time-limit";
import { unavailable } from "../errors/api-error.ts";
import { createExport, type Export, type ExportOrigin, type ExportParts } from "./export.ts";
import { EXPORT_LIMITS } from "./limits.ts";
import type { Slots } from "./slots.ts";

export type Exports = {
  /** Begins an export. Throws `rate_limited` or `unavailable` when too many are under way. */
  begin(origin: ExportOrigin): Promise<Export>;
  /** Gives exports under way `withinMs` to come to their end, then cuts them off. */
  close(withinMs: number): Promise<void>;
};

/** The exports of one process. */
export function createExports({
  slots,
  limits = EXPORT_LIMITS,
  ...parts
}: Omit<ExportParts, "limits"> & { slots: Slots; limits?: ExportParts["limits"] }): Exports {
  const underWay = new Set<Export>();
  let closing = false;

  return {
    async begin(origin) {
      const free = await slots.take(origin.account);
      if (closing) {
        await free();
        throw unavailable(new Error("the process shuts down"));
      }
      const begun = createExport({ ...parts, limits }, origin, free);
      underWay.add(begun);
      void begun.ended.then(() => underWay.delete(begun));
      return begun;
    },
    async close(withinMs) {
      closing = true;
      const all = Promise.all([...underWay].map(({ ended }) => ended));
      await withTimeLimit(all, withinMs).catch(() => {});
      for (const each of underWay) each.cut("shutdown");
      await all;
    },
  };
}
