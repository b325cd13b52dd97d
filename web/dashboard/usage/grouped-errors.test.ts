import { expect, test } from "vitest";
import type { RecentErrorView } from "../data.ts";
import { groupedErrors } from "./grouped-errors.ts";

const error = (n: number, rest: Partial<RecentErrorView> = {}): RecentErrorView => ({
  at: `2026-11-23T12:00:0${n}.000Z`,
  method: "GET",
  url: "/api/v1/funding?limit=x",
  status: 400,
  code: "invalid_parameter",
  message: `message ${n}`,
  request_id: `req_${n}`,
  key: "export",
  remedy: "",
  ...rest,
});

test("errors of the same request, key and code are one group, with the newest message and all request ids", () => {
  const other = error(8, { key: "Dashboard" });
  const groups = groupedErrors([error(9), other, error(7), error(6, { code: "rate_limited", status: 429 })]);
  expect(groups.map(({ newest, times }) => [newest.message, times.map(({ request_id }) => request_id)])).toEqual([
    ["message 9", ["req_9", "req_7"]],
    ["message 8", ["req_8"]],
    ["message 6", ["req_6"]],
  ]);
});
