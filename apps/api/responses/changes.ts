import { z } from "zod";
import type { Rows } from "./rows.ts";

const id = z.string().meta({ description: "The id of the row." });
const changed_at = z.iso.datetime().meta({ description: "When the row changed, or left the list." });

const removal = z.strictObject({ change: z.literal("remove"), id, changed_at }).meta({ id: "Removal" });

const next = z.string().meta({
  description: "The position after this page. Send it as `since`, with the same filters, to get the next changes.",
});
const has_more = z.boolean().meta({ description: "Whether there is more already." });

function changes(name: string, row: z.ZodType) {
  const upsert = z.strictObject({ change: z.literal("upsert"), id, changed_at, row }).meta({ id: `${name}Upsert` });
  return z.strictObject({ data: z.array(z.union([upsert, removal])), next, has_more }).meta({ id: `${name}Changes` });
}

export const fundingChanges = ({ fundingRow }: Rows) => changes("Funding", fundingRow);
export const signalsChanges = ({ signalsRow }: Rows) => changes("Signals", signalsRow);
