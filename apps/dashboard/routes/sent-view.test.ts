import type { Delivery } from "@tranche/webhooks/delivery-log";
import { expect, test } from "vitest";
import { sentView } from "./sent-view.ts";

test("customers read how the receiver answered", () => {
  const delivery = { delivered: true, status: 200, took_ms: 5, reason: null } as Delivery;
  const log = { warn: () => expect.unreachable() };
  expect(sentView({ delivery }, log)).toEqual({ delivered: true, text: "The receiver answered 200 after 5 ms." });
});

test("why an indexer could not send is logged, and not shown", () => {
  const logged: unknown[] = [];
  const unavailable = "an indexer could not do it: connect ECONNREFUSED 10.0.0.7:9200";
  const view = () => sentView({ unavailable }, { warn: (about: unknown) => void logged.push(about) });
  expect(view).toThrow("The service can't send to receivers at the moment.");
  expect(logged).toEqual([{ reason: unavailable }]);
});
