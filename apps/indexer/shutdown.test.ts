import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { shutDown } from "./shutdown.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function setUp() {
  const events: string[] = [];
  const ending = new AbortController();
  ending.signal.addEventListener("abort", () => events.push("end the due pass"));
  const note = (_: unknown, text?: string) => void events.push(text ?? "");
  const tickets = { end: async () => void events.push("note the end") };
  return { events, ending, tickets, log: { info: note, warn: note } };
}

test("the due pass is ended before the workers close, and the end is noted after them", async () => {
  const { events, ending, tickets, log } = setUp();
  const worker = (name: string) => ({ close: async () => void events.push(`close ${name}`) });
  await shutDown("SIGTERM", { ending, tickets, log, workers: [worker("ingest"), worker("due")] });
  expect(events).toEqual(["end the due pass", "closing", "close ingest", "close due", "note the end"]);
});

test("a worker that does not end is left after 20 s, and the log says so and no end is noted", async () => {
  const { events, ending, tickets, log } = setUp();
  const closing = shutDown("SIGTERM", { ending, tickets, log, workers: [{ close: () => new Promise(() => {}) }] });
  await vi.advanceTimersByTimeAsync(19_999);
  expect(events).toEqual(["end the due pass", "closing"]);
  await vi.advanceTimersByTimeAsync(1);
  await closing;
  expect(events.at(-1)).toBe("a worker did not end in time");
});
