import type { Logger } from "@tranche/shared/process/logger";
import { expect, test } from "vitest";
import { createObserve, createObserveSearch, type Observed } from "./observe.ts";
import type { AnsweredRequest } from "./request-log.ts";

/** A reply to a request that began so many ms ago: what is logged at `info`, and what is noted for operators. */
function observed(ms: number, answer: { status?: number; route?: string; state?: Partial<Observed["state"]> } = {}) {
  const lines: { level: string; line: unknown; text: string }[] = [];
  const noted: AnsweredRequest[] = [];
  const at = (level: string) => (line: unknown, text: string) => void lines.push({ level, line, text });
  const log = { isLevelEnabled: (level: string) => level !== "debug", warn: at("warn"), debug: at("debug") };
  const since = performance.now() - ms;
  createObserve(
    log as unknown as Logger,
    { request() {} },
    { record: (request) => void noted.push(request) },
  )({
    route: answer.route ?? "/list",
    method: "GET",
    url: "/list?key=trn_0aB1cD2e_x",
    status: answer.status ?? 200,
    requestId: "r1",
    address: "192.0.2.1",
    state: { since, account: "a1", ...answer.state },
  });
  return { lines, noted };
}
const logged = (...of: Parameters<typeof observed>) => observed(...of).lines;

test("a slow request is logged with the time of each step", () => {
  const since = performance.now() - 1500;
  const state = { since, admittedAt: since + 100, answeredAt: since + 1400 };
  const [entry] = logged(1500, { state });
  expect(entry).toMatchObject({
    level: "warn",
    text: "slow request",
    line: { requestId: "r1", account: "a1", method: "GET", route: "/list", status: 200 },
  });
  const { ms, steps, url } = entry!.line as { ms: number; steps: Record<string, number>; url: string };
  expect(url).not.toContain("0aB1cD2e");
  expect(ms).toBeGreaterThanOrEqual(1500);
  expect(steps).toEqual({ admission: 100, answer: 1300, sending: expect.closeTo(100, -1.5) });
});

test("a failed request is logged with the steps that it came to", () => {
  expect(logged(20, { status: 503 })).toEqual([
    {
      level: "warn",
      text: "request",
      line: expect.objectContaining({ status: 503, steps: { admission: expect.closeTo(20, -1) } }),
    },
  ]);
});

test("others are not, nor those that wait because their callers want them to", () => {
  expect(logged(900)).toEqual([]);
  expect(logged(900, { status: 404 })).toEqual([]);
  expect(logged(20_000, { state: { waitedMs: 19_500 } })).toEqual([]);
});

test("operators see who sent it and how long it took, without what its caller wanted it to wait; probes are nobody's", () => {
  const charge = { keyId: "k1" };
  const [waited] = observed(20_000, { state: { waitedMs: 19_500, charge } }).noted;
  expect(waited).toMatchObject({ account: "a1", keyId: "k1", address: "192.0.2.1", route: "/list", isSlow: false });
  expect(waited!.ms).toBeCloseTo(500, -2);
  expect(observed(1500).noted).toMatchObject([{ status: 200, isSlow: true }]);
  expect(observed(5, { route: "/health/live" }).noted).toEqual([]);
});

test("a slow search is logged with the time of the search engine", () => {
  const lines: unknown[] = [];
  const seconds: number[] = [];
  const log = { warn: (line: object, text: string) => void lines.push({ ...line, text }) } as unknown as Logger;
  const observe = createObserveSearch(log, { search: (took) => void seconds.push(took) });
  observe("funding", 900, 800);
  observe("funding", 2000, 40);
  expect(seconds).toEqual([0.9, 2]);
  expect(lines).toEqual([{ index: "funding", ms: 2000, took: 40, text: "slow search" }]);
});
