import { changesPage } from "@tranche/read-models/feed/changes-page";
import { changesQuery } from "@tranche/read-models/feed/changes-query";
import { afterCopy, atHorizon, type FeedPosition } from "@tranche/read-models/feed/position";
import { readFeedState } from "@tranche/shared/protocol/feed/state";
import { FOLLOWED } from "@tranche/webhooks/followed-lists";
import { beforeAll, expect, test } from "vitest";
import { withService } from "./support/with-service.ts";
import { company, round } from "./support/writes.ts";

/*
 * A reader takes the horizon, and searches later: writes in between are above its horizon. Here that happens on purpose. The
 * rules are 12 to 14 of docs/decisions/0040-a-feed-that-misses-nothing.md.
 */
const { service, queues, client } = withService({ start: ["indexer"] });
const SEEDS = { ...FOLLOWED.funding, filters: [{ anyOf: ["seed"], field: "deal_type" }] };
let version = 10;

beforeAll(() => write(company(1, "c1")));

async function write(...writes: Parameters<typeof queues.send>[0]) {
  await queues.send(writes, 1);
  await queues.settled();
}
const seed = (id: string) => write(round(version++, id, "c1", { deal_type: "seed" }));
/** No filter uses the source of a round, so changing only the source does not change `moved`. */
const grant = (id: string, source: number) =>
  write(round(version++, id, "c1", { deal_type: "grant", source_url: `https://example.com/${source}` }));
const stateNow = async () => (await readFeedState(queues.redis, service.namespace, "funding"))!;

/** A page of the seed rounds, as of a state that may be over. */
async function pageOf(after: FeedPosition, end: { index: string; epoch: string; horizon: number }, limit = 10) {
  const request = changesQuery(SEEDS, after, { horizon: end.horizon, size: limit + 1 });
  const { hits } = (await client.search<object>({ index: end.index, ...request })).hits;
  const found = {
    ids: hits.map((hit) => hit._id!),
    documents: hits.map((hit) => hit._source!),
    sorted: hits.map((hit) => hit.sort ?? []),
    matched: hits.map((hit) => (hit.matched_queries as string[] | undefined) ?? []),
  };
  const page = changesPage(found, { after, end, limit, row: () => "{}" });
  return { ...page, changes: page.changes.map((text) => JSON.parse(text) as { change: string; id: string }) };
}
const positionAt = ({ epoch, horizon }: { epoch: string; horizon: number }) => atHorizon(epoch, horizon);

test("a removal is sent even if a page ends between the move and a later change", async () => {
  await seed("p1");
  await seed("p2");
  const before = await stateNow();
  await grant("p1", 1);
  await seed("p3");
  await grant("p1", 2);
  const now = await stateNow();
  const first = await pageOf(positionAt(before), now, 1);
  expect([first.changes, first.hasMore]).toMatchObject([[{ change: "upsert", id: "p3" }], true]);
  const second = await pageOf(first.next, now, 1);
  expect([second.changes, second.hasMore]).toMatchObject([[{ change: "remove", id: "p1" }], false]);
  expect(second.next).toMatchObject({ asof: now.horizon, changed: now.horizon });
});

test("a removal is sent even if the document keeps changing before each search", async () => {
  await seed("h1");
  let position = positionAt(await stateNow());
  const { asof } = position;
  await grant("h1", 1);
  for (const source of [2, 3]) {
    const taken = await stateNow();
    await grant("h1", source);
    const page = await pageOf(position, taken);
    expect([page.changes, page.hasMore]).toEqual([[], false]);
    expect(page.next).toMatchObject({ asof, changed: taken.horizon });
    position = page.next;
  }
  const now = await stateNow();
  const last = await pageOf(position, now);
  expect(last.changes).toMatchObject([{ change: "remove", id: "h1" }]);
  expect(last.next.asof).toBe(now.horizon);
});

test("what an export showed although it was created above its horizon is removed", async () => {
  const before = await stateNow();
  await seed("e1");
  const after = await stateNow();
  // The export ends here, with e1.
  await grant("e1", 1);
  const page = await pageOf(afterCopy(before, after), await stateNow());
  expect(page.changes).toContainEqual(expect.objectContaining({ change: "remove", id: "e1" }));
});
