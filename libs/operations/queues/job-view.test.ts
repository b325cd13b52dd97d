import type { Job } from "bullmq";
import { expect, test } from "vitest";
import { jobView } from "./job-view.ts";
import type { FoundJob } from "./jobs.ts";

const found = (job: object): FoundJob => ({
  id: "7",
  job: { name: "documents", timestamp: 1000, attemptsMade: 1, data: { rounds: ["rnd-1"] }, ...job } as Job,
});

test("the time of a job is that of its state", () => {
  const times = { processedOn: 2000, finishedOn: 3000 };
  const at = (["waiting", "delayed", "active", "failed"] as const).map((state) => jobView(state, found(times)).at);
  expect(at.map((time) => Date.parse(time!))).toEqual([1000, 1000, 2000, 3000]);
  expect(jobView("waiting", found({ timestamp: Number.NaN })).at).toBeNull();
});

test("a failed job has its reason, without keys and cut off", () => {
  expect(jobView("failed", found({ failedReason: "no such index" }))).toMatchObject({
    id: "7",
    name: "documents",
    attempts: 1,
    reason: "no such index",
    data: JSON.stringify({ rounds: ["rnd-1"] }, null, 2),
  });
  expect(jobView("failed", found({ failedReason: "GET /?key=trn_8kQ2mZ0a_AbCdEf" })).reason).not.toContain("AbCdEf");
  expect(jobView("failed", found({ failedReason: "x".repeat(5000) })).reason).toHaveLength(1000);
});

test("keys that another program put into a name, or into data that can't be read, are not shown", () => {
  expect(jobView("waiting", found({ name: "GET /?key=trn_8kQ2mZ0a_AbCdEf" })).name).not.toContain("AbCdEf");
  const unreadable = "Unexpected token 'k', \"key trn_8kQ2mZ0a_AbCdEf\" is not valid JSON";
  expect(jobView("waiting", { id: "7", unreadable }).reason).not.toContain("AbCdEf");
});

test("a job that can't be read says why", () => {
  expect(jobView("waiting", { id: "7", unreadable: "its data is gone from Redis" })).toEqual({
    id: "7",
    name: null,
    at: null,
    attempts: null,
    reason: "It can't be read: its data is gone from Redis",
    data: null,
  });
});
