import { expect, test } from "vitest";
import { formatOf } from "../queue/formats.ts";
import { lossReporter } from "./redis-loss.ts";

test("what follows a restart of Redis is left to indexers that know of it", async () => {
  const added: { name: string; data: unknown }[] = [];
  const upkeep = { add: async (name: string, data: unknown) => void added.push({ name, data }) };
  const parts = { client: {}, names: {}, redis: {}, namespace: "t", upkeep, tell: () => {} };
  await lossReporter(parts as unknown as Parameters<typeof lossReporter>[0]).onReplaced();
  expect(added.map(({ name, data }) => [name, formatOf(data)])).toEqual([["recover", 2]]);
});
