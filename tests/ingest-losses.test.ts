import { ensureIndices } from "@tranche/read-models/indices/creation";
import { createIngestLosses } from "@tranche/shared/runs/ingest-losses";
import { createIngestRuns, type FileVersion } from "@tranche/shared/runs/ingest-runs";
import { beforeAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";

const { client, names } = withService();
const runs = createIngestRuns(client, names);
const losses = createIngestLosses(client, names);
const FILE = "rounds.ndjson";
const version = (bytes: number): FileVersion => ({ file: FILE, bytes, modified: "2025-06-15T12:00:00.000Z" });

beforeAll(async () => {
  await ensureIndices(client, names, { shards: 1, replicas: 0 });
});

test("a loss is resolved by a later run of the same file, and not by another file of its name", async () => {
  const lost = await runs.begin([FILE], [version(100)]);
  await losses.name(lost, [{ file: FILE, lines: [3, 5] }], true);
  await losses.doneAgain(await runs.begin([FILE], [version(101)]));
  await losses.doneAgain(await runs.begin([FILE], []));
  expect(await losses.open()).toMatchObject([{ run: lost.id, lost: [{ file: FILE, lines: [3, 5] }] }]);
  await losses.doneAgain(await runs.begin([FILE, "more.ndjson"], [version(100)]));
  expect(await losses.open()).toEqual([]);
});

test("what standard input lost is resolved by hand only", async () => {
  const lost = await runs.begin(["-"], []);
  await losses.name(lost, [{ file: "-" }], true);
  await losses.doneAgain(await runs.begin(["-"], []));
  const open = await losses.open();
  expect(open).toMatchObject([{ run: lost.id }]);
  await losses.resolve(open, "an operator");
  expect(await losses.open()).toEqual([]);
});
