import { expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { withSharedService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

const fixture = withSharedService();
const { queues } = fixture;
const { newAccount, signedIn } = dashboardAccounts(fixture);

test("a feed link shows what the indexer wrote last, and what is gone no more", async () => {
  const ada = await signedIn(await newAccount());
  const search = { name: "Rounds in Germany", list: "funding", query: "country=DE&companies=feed-c1,feed-c2" };
  const id = (await ada.ask("POST", "/searches", search)).body.data.id as string;
  const write = async (...writes: Parameters<typeof queues.send>[0]) => {
    await queues.send(writes, 1);
    await queues.settled();
  };
  // The page of a link is kept for a minute, so each look has a link of its own.
  const shown = async () => {
    const { body } = await ada.ask("POST", `/searches/${id}/feeds`);
    const feed = await fetch(body.data.json as string);
    expect(feed.status).toBe(200);
    return ((await feed.json()) as { items: { title: string }[] }).items.map(({ title }) => title);
  };
  expect(await shown()).toEqual([]);
  await write(company(10, "feed-c1", { country: "DE" }), company(11, "feed-c2", { country: "FR" }));
  await write(
    round(12, "feed-r1", "feed-c1"),
    round(13, "feed-r2", "feed-c1", { deal_type: "series_a" }),
    round(14, "feed-r3", "feed-c2"),
  );
  expect(await shown()).toHaveLength(2);
  await write(deletion(15, "round", "feed-r1"));
  const left = await shown();
  expect(left).toHaveLength(1);
  expect(left[0]).toContain("Company feed-c1");
});
