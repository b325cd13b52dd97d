import type Router from "@koa/router";
import type { RecordType } from "@tranche/shared/domain/records/record";
import { createSetRecords } from "@tranche/shared/protocol/runs/set-records";
import type { OperatorRouteParts } from "./parts.ts";

/** A set, and how many records of each type came with it. */
export type SetView = { name: string; records: Partial<Record<RecordType, number>> };

/** The sets that have records: what a file that names one of them may delete. The first thousand, or the one with this `name`. */
export function addSets(router: Router, { installation: { client, names } }: OperatorRouteParts): void {
  const setRecords = createSetRecords(client, names);

  router.get("/sets", async (ctx) => {
    const { name: named } = ctx.query;
    const sets = await setRecords.bySet(typeof named === "string" ? named : undefined);
    const data: SetView[] = Array.from(sets, ([name, records]) => ({ name, records }));
    ctx.body = { data };
  });
}
