import { z } from "zod";
import { count, day } from "../present/scalars.ts";

const changed_at = z.iso.datetime().nullable().meta({
  description: "When a row of it last came, changed or went; null while that is not known.",
});
const list = z.strictObject({ count, changed_at }).meta({ id: "ListFreshness" });
/** Rows of investors have no time of change: the list has that of its generation. */
const investors = z
  .strictObject({
    count,
    changed_at: z.iso.datetime().nullable().meta({
      description:
        "When a row of it last came, changed or went. A rebuild, or a recovery after a loss, moves it too, even where no row changed. Null while it is not known.",
    }),
  })
  .meta({ id: "InvestorsFreshness" });

export const freshness = z
  .strictObject({
    today: day.meta({ description: "The day (UTC) from which signals and scores are counted." }),
    lists: z.strictObject({
      funding: z
        .strictObject({
          count,
          changed_at,
          newest_announced_date: day
            .nullable()
            .meta({ description: "The latest day on which a round was announced; null without rounds." }),
        })
        .meta({ id: "FundingFreshness" }),
      companies: list,
      investors,
    }),
    delay_seconds: z.number().min(0).nullable().meta({
      description:
        "The age of the oldest accepted write that is not searchable yet, in seconds; 0 if there is none, null while that is not known. Writes that failed and wait for an operator do not count.",
    }),
  })
  .meta({ id: "FreshnessResponse" });

export type Freshness = z.infer<typeof freshness>;
