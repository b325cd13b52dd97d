import { setTimeout as pause } from "node:timers/promises";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { DelayedError } from "bullmq";
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { NewerVersion } from "../write/newer-version.ts";
import { createVersionGate } from "./version-gate.ts";

const LOOK_EVERY_MS = 20;

function opened() {
  const state = { newer: false };
  const check = async () => {
    if (state.newer) throw new NewerVersion("the live index is of a later version");
  };
  const gate = createVersionGate(check, pino({ level: "silent" }), { lookEveryMs: LOOK_EVERY_MS });
  const worker = { pause: vi.fn(async () => {}), resume: vi.fn() };
  gate.holds([worker]);
  const delays: number[] = [];
  const job = (data: unknown) => ({
    id: "7",
    name: "records",
    data,
    moveToDelayed: async (at: number) => void delays.push(at - Date.now()),
  });
  return { state, check, gate, worker, job, delays };
}

test("a job of a known format is done, and what goes wrong in it stays what it is", async () => {
  const { gate, job, delays } = opened();
  expect(await gate.pass("ingest", job({ format: JOB_FORMATS.ingest }), "t", async () => "done")).toBe("done");
  expect(await gate.pass("upkeep", job(undefined), "t", async () => "done")).toBe("done");
  const broken = async () => Promise.reject(new Error("broken"));
  await expect(gate.pass("ingest", job({}), "t", broken)).rejects.toThrow("broken");
  expect([delays, gate.closed()]).toEqual([[], undefined]);
});

test("a job of a newer format is put back with a delay and not done; others continue", async () => {
  const { gate, job, delays } = opened();
  const work = vi.fn(async () => "done");
  const newer = job({ format: JOB_FORMATS.derive + 1 });
  await expect(gate.pass("derive", newer, "t", work)).rejects.toThrow(DelayedError);
  expect(work).not.toHaveBeenCalled();
  expect(delays[0]).toBeGreaterThan(1000);
  expect(await gate.pass("derive", job({}), "t", work)).toBe("done");
});

test("work that meets a later version is put back, and no job is taken until this version may write again", async () => {
  const { state, check, gate, worker, job, delays } = opened();
  await gate.pass("due", job(undefined), "t", async () => {});
  // Jobs that begin at the same time do not check again: the work finds it out.
  state.newer = true;
  const work = vi.fn(check);
  await expect(gate.pass("ingest", job({}), "t", work)).rejects.toThrow(DelayedError);
  expect(gate.closed()).toContain("later version");
  expect(worker.pause).toHaveBeenCalledWith(true);
  await expect(gate.pass("due", job(undefined), "t", work)).rejects.toThrow(DelayedError);
  expect([work.mock.calls.length, delays.length]).toEqual([1, 2]);
  state.newer = false;
  await vi.waitFor(() => expect(gate.closed()).toBeUndefined());
  expect(worker.resume).toHaveBeenCalledOnce();
});

test("a job checks before its work begins", async () => {
  const { state, gate, job } = opened();
  state.newer = true;
  const work = vi.fn(async () => "done");
  await expect(gate.pass("ingest", job({}), "t", work)).rejects.toThrow(DelayedError);
  expect(work).not.toHaveBeenCalled();
});

test("the start waits while the indices are of a later version", async () => {
  const { state, gate } = opened();
  state.newer = true;
  let open = false;
  const opening = gate.untilOpen().then(() => (open = true));
  await pause(5 * LOOK_EVERY_MS);
  expect(open).toBe(false);
  state.newer = false;
  await opening;
  expect(open).toBe(true);
});
