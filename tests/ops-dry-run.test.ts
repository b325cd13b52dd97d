import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IngestJob, QUEUES } from "@tranche/shared/protocol/queue/queues";
import { createIngestRuns } from "@tranche/shared/protocol/runs/ingest-runs";
import { afterAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";

const folder = mkdtempSync(join(tmpdir(), "dry-run-"));
const { service, queues, client, names } = withService({ start: ["indexer"] });
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, content: string) => {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
};
const MAP = {
  values: {
    name: { column: "name" },
    city: { column: "city" },
    date: { column: "date", as: "date" },
    investor: { column: "investor" },
  },
  records: [
    { type: "company", merge: true, fields: { id: "co-{name:key}", name: "{name}", city: "{city}" } },
    {
      type: "round",
      merge: true,
      fields: {
        id: "r-{name:key}-{date}",
        company_id: "co-{name:key}",
        announced_date: "{date}",
        amount_usd: null,
        investor_ids: "inv-{investor:key}",
      },
    },
  ],
};
const STORED = "name,city,date,investor\nAcme,Pune,2020-01-02,Blue\nAcme,,2020-01-02,Red\nBeta,Oslo,2020-01-03,Blue\n";

/** Runs with --dry-run, and checks that it added no job and no run. */
async function dryRun(...args: string[]) {
  const left = async () => [
    await queues.queue<IngestJob>(QUEUES.ingest).getJobCounts(),
    (await createIngestRuns(client, names).open()).length,
  ];
  const before = await left();
  const ran = await service.ops(["ingest", "--dry-run", ...args]);
  expect(await left()).toEqual(before);
  return ran;
}

test("--dry-run shows the first records, the counts and how stored records would change, and enqueues nothing", async () => {
  const map = file("a.map.json", JSON.stringify(MAP));
  const stored = await service.ops(["ingest", file("stored.csv", STORED), "--map", map, "--wait"]);
  expect(stored.code).toBe(0);

  const same = await dryRun(file("same.csv", STORED), "--map", map, "--json");
  expect(JSON.parse(same.stdout)).toMatchObject({
    rows: { read: 3, with_records: 3, refused: 0, skipped: 0 },
    dry_run: { created: 0, changed: 0, unchanged: 4 },
  });

  const rows = Array.from({ length: 12 }, (_, i) => `New ${i},,2021-01-02,Blue`).join("\n");
  const changed = `${STORED}Acme,,2020-01-02,Green\n${rows}\nGone,,,Blue\n`;
  const ran = await dryRun(file("changed.csv", changed), "--map", map, "--json");
  expect(ran.code).toBe(1);
  const summary = JSON.parse(ran.stdout);
  expect(summary).toMatchObject({
    rows: { read: 17, with_records: 16, refused: 1 },
    enqueued: { company: 14, round: 14 },
    dry_run: { created: 24, changed: 1, unchanged: 3, deleted: 0 },
  });
  expect(summary.dry_run.first).toHaveLength(10);
  expect(summary.dry_run.first[1]).toMatchObject({
    type: "round",
    id: "r-acme-2020-01-02",
    investors: [{ investor_id: "inv-blue" }, { investor_id: "inv-red" }, { investor_id: "inv-green" }],
  });
  expect(ran.stderr).toContain("changed.csv:18: round.id: column 'date' is empty");
});

test("--dry-run reads NDJSON without a mapping", async () => {
  const lines = [
    { type: "company", id: "co-1", name: "One" },
    { type: "company", op: "delete", id: "co-2" },
    { type: "compny" },
  ];
  const ran = await dryRun(file("a.ndjson", lines.map((line) => JSON.stringify(line)).join("\n")));
  expect(ran.code).toBe(1);
  expect(ran.stdout).toContain('{"type":"company","id":"co-1","name":"One","slug":"one"');
  expect(ran.stdout).toContain('{"type":"company","op":"delete","id":"co-2"}');
  expect(ran.stdout).toContain("Records that would be created: 1, changed: 0, left unchanged: 1");
  expect(ran.stdout).toContain("Dry run: nothing was enqueued.");
});
