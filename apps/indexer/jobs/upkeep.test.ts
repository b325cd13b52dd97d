import { UnrecoverableError } from "bullmq";
import { expect, test } from "vitest";
import { upkeep } from "./upkeep.ts";

async function run(name: string, data?: object) {
  const done: string[] = [];
  const note = (step: string) => async () => void done.push(step);
  const result = await upkeep(
    { id: "1", timestamp: 2, name, data },
    {
      maintain: note("maintain"),
      purge: note("purge"),
      schedule: note("schedule"),
      recover: note("recover"),
      rederive: async () => done.push("rederive"),
      deleteMissing: async ({ set }) => done.push(`deleted what is missing from ${set}`),
    },
  );
  return { done, result };
}

test("the job 'maintain' maintains", async () => {
  expect((await run("maintain")).done).toEqual(["maintain"]);
});

test("'purge' purges", async () => {
  expect((await run("purge")).done).toEqual(["purge"]);
});

test("'recover' recovers", async () => {
  expect((await run("recover")).done).toEqual(["recover"]);
});

test("'delete-missing' deletes what a set no longer has, and needs the set and its run", async () => {
  expect((await run("delete-missing", { set: "crm", run: "run-1" })).done).toEqual([
    "deleted what is missing from crm",
  ]);
  await expect(run("delete-missing")).rejects.toThrow(UnrecoverableError);
});

test("'rederive' restores the schedule first, and its result is the number of documents", async () => {
  expect(await run("rederive")).toEqual({ done: ["schedule", "rederive"], result: 2 });
});

test("an unknown name fails without another try", async () => {
  await expect(run("unknown")).rejects.toBeInstanceOf(UnrecoverableError);
});
