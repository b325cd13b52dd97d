import { expect, test } from "vitest";
import { type CallerRequest, type Charge, recordCharge, recordWork } from "./charge.ts";
import { createSettle } from "./settle.ts";

const WINDOW = { limit: 100, used: 10, resetsAt: 0 };

/** How much of a price of 4 a request with a status costs. */
async function costOf(status: number, takesWork: boolean): Promise<number> {
  let cost = 4;
  const charge = {
    month: 4,
    limits: { at: 0, burst: WINDOW, month: WINDOW },
    refund: async (requests: number) => void (cost -= requests),
  } as unknown as Charge;
  const request = { state: {} } as CallerRequest;
  recordCharge(request, charge);
  if (takesWork) recordWork(request);
  await createSettle({ record: () => {} })(request, status);
  return cost;
}

test.each([
  [200, 4, 4],
  [304, 0, 4],
  [400, 0, 4],
  [403, 0, 4],
  [404, 4, 4],
  [503, 0, 0],
])("status %i costs %i, and %i if it takes work", async (status, without, withWork) => {
  expect([await costOf(status, false), await costOf(status, true)]).toEqual([without, withWork]);
});
