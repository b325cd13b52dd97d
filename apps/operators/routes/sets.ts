import { createSetRecords } from "@tranche/shared/protocol/runs/set-records";
import { type OperatorRouteParts, request } from "./parts.ts";

/** The sets that have records: what a file that names one of them may delete. The first thousand, or the one with this `name`. */
export function setRequests({ installation: { client, names } }: OperatorRouteParts) {
  const setRecords = createSetRecords(client, names);

  return {
    /** Sets, and how many records of each type came with them. */
    "GET /sets": request({}, async ({ ctx }) => {
      const { name: named } = ctx.query;
      const sets = await setRecords.bySet(typeof named === "string" ? named : undefined);
      return Array.from(sets, ([name, records]) => ({ name, records }));
    }),
  };
}
