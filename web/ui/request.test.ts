import { afterEach, expect, test, vi } from "vitest";
import { requestJson } from "./request.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const busy = (retryAfter?: string) => () =>
  new Response('{"error":{"code":"unavailable","message":"Please try again shortly."}}', {
    status: 503,
    headers: { ...JSON_TYPE, ...(retryAfter === undefined ? {} : { "Retry-After": retryAfter }) },
  });
const rows = () => new Response('{"data":[]}', { headers: JSON_TYPE });

/** Answers one request after the other. */
function answering(...answers: (() => Response)[]) {
  const fetch = vi.fn(async () => answers.shift()!());
  vi.stubGlobal("fetch", fetch);
  vi.useFakeTimers();
  return fetch;
}
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a request that only reads is sent again once after a 503 that names a moment", async () => {
  const fetch = answering(busy("2"), rows);
  const answer = requestJson("/rows");
  await vi.advanceTimersByTimeAsync(1999);
  expect(fetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await answer).body).toEqual({ data: [] });
});

test("a second 503 is the answer", async () => {
  answering(busy("1"), busy("1"));
  const answer = expect(requestJson("/rows")).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 });
  await vi.advanceTimersByTimeAsync(1000);
  await answer;
});

test.each([
  ["that changes something", { method: "POST", body: {} }, "1"],
  ["with a longer wait", {}, "10"],
  ["without a wait", {}, undefined],
])("a request %s is not sent again", async (_, options, retryAfter) => {
  const fetch = answering(busy(retryAfter));
  await expect(requestJson("/rows", options)).rejects.toMatchObject({ status: 503 });
  expect(fetch).toHaveBeenCalledTimes(1);
});
