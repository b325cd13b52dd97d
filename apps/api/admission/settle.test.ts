import type { Context } from "koa";
import { expect, test } from "vitest";
import { type CallerRequest, type Charge, recordCharge, recordWork } from "./charge.ts";
import { createSettle, settleResponses } from "./settle.ts";

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

test.each([
  [200, "/list", []],
  [400, "/list", ["/list"]],
  [404, undefined, ["other"]],
])("of an answer %i to the route %s, these errors have the routes %j", async (status, route, recorded) => {
  const routes: unknown[] = [];
  const ctx = { status, url: "/no-such/text-of-the-caller", state: {}, _matchedRoute: route } as unknown as Context;
  await settleResponses(
    async () => [],
    (error) => void routes.push(error.route),
  )(ctx, async () => {});
  expect(routes).toEqual(recorded);
});
