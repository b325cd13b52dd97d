import { expect, test } from "vitest";
import type { FeedControl } from "../feed/control.ts";
import { formatOf, JOB_FORMATS } from "../queue/formats.ts";
import { lossReporter } from "./redis-loss.ts";

test("the job after a restart of Redis notes its format", async () => {
  const added: { name: string; data: unknown }[] = [];
  const upkeep = { add: async (name: string, data: unknown) => void added.push({ name, data }) };
  const client = { get: async () => ({ found: false }) };
  const parts = { client, names: {}, redis: {}, namespace: "t", upkeep, tell: () => {} };
  await lossReporter(parts as unknown as Parameters<typeof lossReporter>[0]).onReplaced();
  expect(added.map(({ name, data }) => [name, formatOf(data)])).toEqual([["recover", JOB_FORMATS.upkeep]]);
});

test("before a Redis that was replaced gives a number, readers are shown the stored state of the feed", async () => {
  const control: FeedControl = {
    kind: "feed",
    version: 7,
    epoch: "e",
    served: { funding: "funding-2", companies: "companies-2" },
    copied: null,
    due: null,
    purged: { funding: 1, companies: 2 },
  };
  const done: unknown[] = [];
  const parts = {
    client: { get: async () => ({ found: true, _source: control, _seq_no: 0, _primary_term: 1 }) },
    names: {},
    redis: { eval: async (_script: string, keys: number, ...rest: unknown[]) => (done.push(rest.slice(keys)), 7) },
    namespace: "t",
    upkeep: { add: async (name: string) => void done.push(name) },
    tell: () => {},
  };
  await lossReporter(parts as unknown as Parameters<typeof lossReporter>[0]).onReplaced();
  expect(done).toEqual([[7, "e", "funding", "funding-2", 1, "companies", "companies-2", 2], "recover"]);
});
