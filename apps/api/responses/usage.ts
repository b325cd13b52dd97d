import { z } from "zod";
import { count } from "../present/scalars.ts";

const window = z
  .strictObject({ limit: count, used: count, remaining: count, resets_at: z.iso.datetime() })
  .meta({ id: "UsageWindow" });

export const usage = z
  .strictObject({
    data: z.strictObject({
      plan: z.string().meta({ description: "The plan's id.", example: "growth" }),
      max_limit: count.meta({ description: "Rows in a page at most." }),
      export: z.boolean().meta({ description: "Whether the plan has exports." }),
      burst: window.meta({
        description:
          "Requests in any 60 seconds, this one among them. `resets_at`: when the oldest of them no longer counts.",
      }),
      month: window.meta({ description: "Requests of this calendar month (UTC). `resets_at`: when it ends." }),
      dashboard: window.meta({
        description:
          "Requests of this calendar month that the dashboard has made for the account out of a pool of its own. They do not count in `month`.",
      }),
      mcp: z.strictObject({ requests: count.nullable() }).meta({
        id: "McpUsage",
        description:
          "Requests of assistants to `/mcp` in this calendar month, those that cost nothing among them, a few seconds late; null while that is not known. What they cost is part of `month`.",
      }),
      throttle: z
        .strictObject({
          until: z.iso.datetime().nullable().meta({ description: "When it ends by itself; null if it does not." }),
        })
        .meta({ id: "UsageThrottle" })
        .nullable()
        .meta({
          description:
            "Present while the operator of the service has lowered the limits of the account below its plan; `burst` and `month` have the lower ones. Otherwise null.",
        }),
    }),
  })
  .meta({ id: "UsageResponse" });
