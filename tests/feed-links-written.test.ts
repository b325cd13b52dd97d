import { expect, test } from "vitest";
import { dashboardAccounts } from "./support/dashboard-accounts.ts";
import { withService } from "./support/with-service.ts";
import { company, deletion, round } from "./support/writes.ts";

const fixture = withService({ start: ["indexer", "api"] });
const { service, queues } = fixture;
const { newAccount, signedIn } = dashboardAccounts(fixture);

test("a feed link shows what the indexer wrote last, and what is gone no more", async () => {
  await service.startDashboard();
  const ada = await signedIn(await newAccount());
  const search = { name: "Rounds in Germany", list: "funding", query: "country=DE" };
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
  await write(company(10, "c1", { country: "DE" }), company(11, "c2", { country: "FR" }));
  await write(round(12, "r1", "c1"), round(13, "r2", "c1", { deal_type: "series_a" }), round(14, "r3", "c2"));
  expect(await shown()).toHaveLength(2);
  await write(deletion(15, "round", "r1"));
  const left = await shown();
  expect(left).toHaveLength(1);
  expect(left[0]).toContain("Company c1");
});
