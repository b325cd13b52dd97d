import { MAX_RECENT_ERRORS, type RecentError } from "@tranche/shared/accounts/recent-errors";
import { createLogger } from "@tranche/shared/process/logger";
import { createTiming } from "@tranche/shared/process/timing";
import type { Context } from "koa";
import { expect, test } from "vitest";
import { ApiError } from "../errors/api-error.ts";
import { createErrorLog } from "./error-log.ts";

/** A log whose writes are collected; the store takes them, or is away. */
function open(isThere = () => true) {
  const written: Map<string, readonly RecentError[]>[] = [];
  const log = createErrorLog({
    recent: {
      async add(errors) {
        if (isThere()) written.push(new Map(errors));
        return isThere() ? [] : [...errors.keys()];
      },
    },
    log: createLogger("test", "silent"),
    timing: createTiming(1),
    now: () => Date.UTC(2026, 10, 23),
  });
  return { log, written };
}

const failed = (url: string, handle?: string, message = "wrong") =>
  ({
    method: "GET",
    url,
    status: 400,
    state: {
      requestId: "req_1",
      error: new ApiError("invalid_parameter", message),
      ...(handle ? { charge: { handle, keyId: "key-1" } } : {}),
    },
  }) as unknown as Context;

test("a request without a valid key is not noted", async () => {
  const { log, written } = open();
  log.record(failed("/api/v1/funding"));
  await log.close();
  expect(written).toEqual([]);
});

test("an error is written with the message that its caller got, cut and without keys", async () => {
  const { log, written } = open();
  log.record(failed(`/api/v1/funding?q=trn_abcdefgh_secret&x=${"y".repeat(600)}`, "acc", "z".repeat(400)));
  await log.close();
  const [error] = written[0]!.get("acc")!;
  expect(error).toMatchObject({
    at: "2026-11-23T00:00:00.000Z",
    status: 400,
    code: "invalid_parameter",
    message: "z".repeat(300),
    request_id: "req_1",
    key_id: "key-1",
  });
  expect(error!.url).toHaveLength(500);
  expect(error!.url).toContain("q=[redacted]&x=y");
});

test("of many errors between two writes, the newest of each account are kept", async () => {
  const { log, written } = open();
  for (let n = 0; n < 1234; n++) log.record(failed(`/${n}`, "many"));
  log.record(failed("/one", "few"));
  await log.close();
  const urls = written[0]!.get("many")!.map(({ url }) => url);
  expect([urls.length, urls[0], urls.at(-1)]).toEqual([MAX_RECENT_ERRORS, "/1134", "/1233"]);
  expect(written[0]!.get("few")).toHaveLength(1);
});

test("what a store that is away did not take is written later", async () => {
  let there = false;
  const { log, written } = open(() => there);
  log.record(failed("/early", "acc"));
  await log.close();
  there = true;
  await log.close();
  expect(written.map((errors) => errors.get("acc")!.map(({ url }) => url))).toEqual([["/early"]]);
});

test("an error has the pattern of its path and the parameter at fault, as far as it has them", async () => {
  const { log, written } = open();
  const details = [{ parameter: "signal", code: "unknown_value", message: "Unknown." }] as const;
  const error = new ApiError("invalid_parameter", "Unknown.", { details });
  const request = failed("/api/v1/signals?signal=x", "acc");
  log.record({ ...request, route: "/api/v1/signals", state: { ...request.state, error } });
  log.record(failed("/api/v1/signals", "acc"));
  await log.close();
  const [first, second] = written[0]!.get("acc")!;
  expect(first).toMatchObject({ route: "/api/v1/signals", parameter: "signal" });
  expect([second!.route, second!.parameter]).toEqual([undefined, undefined]);
});
