import { beforeAll, expect, test } from "vitest";
import type { Fixture } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

export function testLackingFields({ service, queues, client, names }: Fixture): void {
  let headers: Record<string, string>;

  beforeAll(async () => {
    await queues.send([company(1, "lacking", { country: "DE" }), round(1, "rnd-lacking", "lacking")]);
    await queues.settled();
    headers = { authorization: `Bearer ${await service.key()}` };
  });

  const get = async (path: string) => {
    const answer = await fetch(`${service.base}${path}`, { headers });
    const text = await answer.text();
    return { status: answer.status, retryAfter: answer.headers.get("retry-after"), text };
  };
  const statusOf = async (path: string) => (await get(path)).status;

  test("what needs a field that only a rebuild fills gets 503 with a reason until the rebuild, and nothing else does", async () => {
    const index = names.role("funding", "live");
    const [mapping] = Object.values(await client.indices.getMapping({ index }));
    // As a newer version leaves the index of an older one.
    const _meta = { ...mapping!.mappings._meta, incomplete: ["lead_investor_keys", "amount_usd"] };
    await client.indices.putMapping({ index, _meta });

    // Each time another page: one that was answered before is cached.
    let asked = 0;
    await expect.poll(() => statusOf(`/funding?lead_investors=${++asked}`), { timeout: 15_000 }).toBe(503);
    const refused = await get("/funding?lead_investors=x&country=DE");
    expect(refused.retryAfter).toBe("60");
    expect(refused.text).toContain("can't answer the parameter 'lead_investors' yet");
    const paths = [
      "/funding?min_amount_usd=5",
      "/funding?sort=amount_desc",
      "/funding/stats?lead_investors=x",
      // Its figures are of amounts.
      "/funding/stats?group_by=country",
      "/funding/export?lead_investors=!x",
      "/funding/changes?lead_investors=x",
    ];
    for (const path of paths) expect([path, await statusOf(path)]).toEqual([path, 503]);
    for (const path of [
      "/funding",
      "/funding?country=DE",
      "/signals/stats?group_by=country",
      "/signals?min_amount_usd=5",
    ]) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }

    const ofCompanies = names.role("companies", "live");
    const [companies] = Object.values(await client.indices.getMapping({ index: ofCompanies }));
    await client.indices.putMapping({
      index: ofCompanies,
      _meta: { ...companies!.mappings._meta, incomplete: ["name_prefixes"] },
    });
    await expect.poll(() => statusOf(`/search?q=acme${++asked}`), { timeout: 15_000 }).toBe(503);
    expect((await get("/search?q=acme")).text).toContain("a search for names of type 'company'");
    expect(await statusOf("/search?q=acme&types=investor,city")).toBe(200);

    expect((await service.ops(["reindex", "--wait"])).code).toBe(0);
    for (const path of ["/funding?lead_investors=x", "/search?q=acme", ...paths]) {
      await expect.poll(() => statusOf(path), { timeout: 15_000, message: path }).toBe(200);
    }
  });
}
