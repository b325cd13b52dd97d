import { z } from "zod";

/** The chosen dead letters or jobs: all there are, or those with these ids. */
export const chosen = z.object({
  ids: z.union([z.literal("all"), z.array(z.string().max(300)).min(1).max(1000)], 'Give a list of ids, or "all".'),
});
