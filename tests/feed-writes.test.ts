import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { feedKeys } from "@tranche/shared/protocol/feed/keys";
import { JOB_FORMATS } from "@tranche/shared/protocol/queue/formats";
import { type DeriveJob, JOB_OPTIONS, QUEUES } from "@tranche/shared/protocol/queue/queues";
import type { RecordWrite } from "@tranche/shared/domain/records/record";
import { expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

const { service, queues, client, names } = withService({ start: ["indexer"], now: "2025-06-15T12:00:00Z" });

async function after(...writes: RecordWrite[]): Promise<ChangeTickets & { gone?: true }> {
  await queues.send(writes, 1);
  await queues.settled();
  const { _source } = await client.get<ChangeTickets & { gone?: true }>({
    index: names.role("funding", "live"),
    id: "r1",
  });
  return _source!;
}

test("a document says when its content changed, when a filtered field did, and since when it is listed", async () => {
  const first = await after(company(1, "c1", { country: "DE" }), round(1, "r1", "c1"));
  expect(first.created).toBeLessThanOrEqual(first.changed);

  const job: DeriveJob = { format: JOB_FORMATS.derive, rounds: ["r1"], companies: ["c1"] };
  await queues.queue<DeriveJob>(QUEUES.derive).add("documents", job, JOB_OPTIONS);
  expect(await after()).toEqual(first);

  // `source_url` is shown, and no filter uses it.
  const shown = await after(round(2, "r1", "c1", { source_url: "https://example.com/" }));
  expect(shown.changed).toBeGreaterThan(first.changed);
  expect([shown.created, shown.moved_funding]).toEqual([first.created, first.moved_funding]);

  const moved = await after(round(3, "r1", "c1", { deal_type: "series_a" }));
  expect(moved.changed).toBeGreaterThan(shown.changed);
  expect(moved.created).toBe(first.created);
  const groups = { names: moved.moved_names, place: moved.moved_place, funding: moved.moved_funding };
  expect(groups).toEqual({ names: first.moved_names, place: first.moved_place, funding: moved.changed });

  // A document that is gone keeps the fields that filters use, so no group of them has moved.
  const gone = await after(deletion(4, "round", "r1"));
  const kept = { was_listed: true, was_country: "DE", was_deal_type: "series_a", was_company_id: "c1" };
  expect(gone.changed).toBeGreaterThan(moved.changed);
  expect(gone).toMatchObject({ gone: true, created: first.created, ...kept });
  const { moved_names, moved_place, moved_funding } = gone;
  expect({ names: moved_names, place: moved_place, funding: moved_funding }).toEqual(groups);

  const back = await after(company(5, "c1", { country: "AT" }), round(5, "r1", "c1", { deal_type: "series_a" }));
  expect(back).toMatchObject({ moved_place: back.changed, moved_funding: groups.funding });
  expect(back.moved_names).toBe(groups.names);
});

test("nothing holds the horizon when all is done, and verify finds no difference", async () => {
  await after(round(6, "r1", "c1"));
  for (const model of ["funding", "companies"] as const) {
    const { held, writers, counts } = feedKeys(service.namespace, model);
    expect(await queues.redis.exists(held, writers, counts)).toBe(0);
  }
  const { stdout } = await service.ops(["verify", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ differing: 0 });
});

test("a rebuild keeps the tickets of what it derives with the same content, and removals", async () => {
  const index = names.role("funding", "live");
  const all = async () => {
    const { hits } = await client.search<ChangeTickets>({ index, size: 100, sort: ["id"] });
    return Object.fromEntries(hits.hits.map(({ _id, _source }) => [_id, _source]));
  };
  await after(round(7, "r2", "c1"), round(8, "r3", "c1"));
  await after(deletion(9, "round", "r3"));
  const before = await all();
  expect(before["r3"]).toMatchObject({ gone: true });
  const { code, stderr } = await service.ops(["reindex", "--wait"]);
  expect(code, stderr).toBe(0);
  expect(await all()).toEqual(before);
});
