import { FIELD_GROUPS } from "@tranche/read-models/documents/field-groups";
import { expect, test } from "vitest";
import type { PipelineParts } from "../pipeline/parts.ts";
import { changedUnder, publishLost } from "./lost.ts";

test("a document that has moved under a lost number is found, also when it has changed again since", () => {
  const lost = [{ above: 10, last: 20, at: "2026-11-29T08:00:00Z" }];
  const fields = ["changed", "created", ...FIELD_GROUPS.map((group) => `moved_${group}`)];
  const should = fields.map((field) => ({ range: { [field]: { gt: 10, lte: 20 } } }));
  const filter = [{ range: { changed: { gt: 10 } } }];
  expect(changedUnder(lost)).toEqual({ bool: { should: [{ bool: { filter, should, minimum_should_match: 1 } }] } });
});

test("what the refresh has shown is announced before it is derived again", async () => {
  const steps: string[] = [];
  const parts = {
    names: { role: (model: string) => model },
    tickets: { lostNumbers: () => [{ above: 10, last: 20, at: new Date().toISOString() }] },
    announcer: { announceEverything: async (models: string[]) => void steps.push(`announce ${models.join()}`) },
    client: {
      indices: {
        async refresh() {
          steps.push("refresh");
          return { _shards: { failed: 0, successful: 1, total: 1 } };
        },
      },
      async search({ index }: { index: string }) {
        steps.push(`search ${index}`);
        if (index !== "funding") throw new Error("enough");
        return { _shards: { failed: 0, successful: 1, total: 1 }, hits: { hits: [{ sort: ["r1"] }] } };
      },
    },
  };
  await expect(publishLost(parts as unknown as PipelineParts)).rejects.toThrow();
  expect(steps.slice(0, 3)).toEqual(["refresh", "search funding", "announce funding"]);
});
