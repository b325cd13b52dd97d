import { expect, test } from "vitest";
import { formatOf, JOB_FORMATS } from "../queue/formats.ts";
import { lossReporter } from "./redis-loss.ts";

test("the job after a restart of Redis notes its format", async () => {
  const added: { name: string; data: unknown }[] = [];
  const upkeep = { add: async (name: string, data: unknown) => void added.push({ name, data }) };
  const parts = { client: {}, names: {}, redis: {}, namespace: "t", upkeep, tell: () => {} };
  await lossReporter(parts as unknown as Parameters<typeof lossReporter>[0]).onReplaced();
  expect(added.map(({ name, data }) => [name, formatOf(data)])).toEqual([["recover", JOB_FORMATS.upkeep]]);
});
