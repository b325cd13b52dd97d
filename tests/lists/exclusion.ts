import { beforeAll, describe, expect, test } from "vitest";
import type { Fixture } from "../support/with-service.ts";
import { company, investor, round, signal } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

type Answer = {
  data: { id: string; company: { id: string } }[];
  pagination: { count: number };
  filters_applied: Record<string, unknown>;
  warnings?: { code: string; message: string; parameter: string }[];
  error?: { message: string; details: { parameter: string; code: string }[] };
};

export function testExclusion({ service, queues }: Fixture): void {
  let key: string;
  async function ask(list: "funding" | "signals", parameters: Record<string, string> | string) {
    const query = typeof parameters === "string" ? parameters : String(new URLSearchParams(parameters));
    const response = await fetchUnlessBusy(`${service.base}/${list}?${query}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const answer = (await response.json()) as Answer;
    return { status: response.status, answer, link: response.headers.get("link") ?? "" };
  }
  const idsOf = ({ answer }: { answer: Answer }) => answer.data.map((row) => row.id ?? row.company.id).toSorted();

  const places: Record<string, [city: string | null, category: string | null, country: string | null]> = {
    berlin: ["Berlin", "Fintech", "DE"],
    munich: ["München", "payments", "DE"],
    nowhere: [null, "fintech", "DE"],
    hamburg: ["Hamburg", "Games", "DE"],
    vienna: ["Wien", "fintech", "AT"],
    blank: [null, null, null],
  };

  beforeAll(async () => {
    await queues.send([
      investor(1, "inv-1", { name: "Kleiner, Perkins" }),
      investor(1, "inv-2", { name: "-5 % Club" }),
      ...Object.entries(places).flatMap(([id, [city, category, country]]) => [
        company(1, id, { city, category, country, domain: `${id}.example` }),
        round(1, `${id}-a`, id, {
          announced_date: "2012-05-01",
          deal_type: "series_a",
          amount_usd: 6_000_000,
          investors: [{ investor_id: "inv-1", is_lead: true }],
        }),
        round(1, `${id}-b`, id, {
          announced_date: "2012-08-01",
          deal_type: "series_a",
          amount_usd: 5_000_000,
          investors: [{ investor_id: "inv-2", is_lead: false }],
        }),
        round(1, `${id}-c`, id, { announced_date: "2013-01-01", deal_type: "seed", amount_usd: null }),
        signal(1, id, "hiring", { detected_at: "2025-06-01" }),
      ]),
      signal(1, "berlin", "award", { detected_at: "2025-06-10" }),
    ]);
    await queues.settled();
    key = await service.key();
  });

  describe("one request", () => {
    test("finds fintech or payments in Germany, series A of over 5 M in 2012, not from Berlin", async () => {
      const found = await ask("funding", {
        category: "fintech,payments",
        country: "Germany",
        deal_types: "series A",
        min_amount_usd: "5000000.01",
        from: "2012-01-01",
        to: "2012-12-31",
        city: "!Berlin",
      });
      expect(found.answer.warnings).toBeUndefined();
      expect(idsOf(found)).toEqual(["munich-a", "nowhere-a"]);
      expect(found.answer.filters_applied).toMatchObject({ city: ["!Berlin"], country: ["DE"] });
    });

    test("leaves out countries, and keeps companies without one", async () => {
      const found = await ask("funding", "country=!DE&country=!AT&limit=50");
      expect(idsOf(found)).toEqual(["blank-a", "blank-b", "blank-c"]);
      expect(found.link).toContain("country=!DE,!AT");
    });

    test("names companies by id, name, alias or domain, and excludes them the same way", async () => {
      const found = await ask("funding", { companies: "berlin,munich.example,Company vienna", disclosed: "false" });
      expect(idsOf(found)).toEqual(["berlin-c", "munich-c", "vienna-c"]);
      const others = await ask("signals", { companies: "!berlin,!munich.example,!Company vienna" });
      expect(idsOf(others)).toEqual(["blank", "hamburg", "nowhere"]);
    });

    test("asks for companies by all of several investors, and for rounds by their leads", async () => {
      const both = await ask("signals", {
        investors: 'inv-2,"Kleiner, Perkins"',
        investors_match: "all",
        country: "AT",
      });
      expect(idsOf(both)).toEqual(["vienna"]);
      expect((await ask("funding", { investors: "inv-1,inv-2", investors_match: "all" })).answer.pagination.count).toBe(
        0,
      );
      const led = await ask("funding", { lead_investors: "inv-1,inv-2", companies: "berlin" });
      expect(idsOf(led)).toEqual(["berlin-a"]);
    });

    test("asks since when signals were detected", async () => {
      expect(idsOf(await ask("signals", { detected_since: "2025-06-10" }))).toEqual(["berlin"]);
      expect(idsOf(await ask("signals", { detected_since: "2025-06-10", signal: "hiring" }))).toEqual([]);
      expect(idsOf(await ask("signals", { detected_since: "2025-06-01", signal: "hiring,award" }))).toHaveLength(6);
      const all = { detected_since: "2025-06-01", signal: "hiring,award", signal_match: "all" };
      expect(idsOf(await ask("signals", all))).toEqual(["berlin"]);
      expect(idsOf(await ask("signals", { ...all, detected_since: "2025-06-02" }))).toEqual([]);
    });
  });

  test("filters_applied sent back gives the same, whatever the names begin with", async () => {
    const raw = '!"Kleiner, Perkins","-5 % Club"';
    const { answer } = await ask("funding", { investors: raw });
    expect(answer.pagination.count).toBe(6);
    expect(answer.filters_applied["investors"]).toEqual(['!"Kleiner, Perkins"', '"-5 % Club"']);
    const again = await ask("funding", { investors: (answer.filters_applied["investors"] as string[]).join(",") });
    expect(again.answer).toEqual(answer);
  });

  test("an unknown excluded item is reported, and excludes nothing", async () => {
    const { answer } = await ask("funding", { city: "!Berlni", limit: "1" });
    expect(answer.pagination.count).toBe(18);
    expect(answer.warnings).toMatchObject([
      {
        code: "unknown_value",
        parameter: "city",
        message: expect.stringContaining("Did you mean 'berlin'?") as string,
      },
    ]);
    expect((await ask("funding", { city: "!Berlin" })).answer.warnings).toBeUndefined();
    // An id is known as well.
    expect((await ask("funding", { companies: "!berlin,!nobody" })).answer.warnings).toHaveLength(1);
  });

  test.each([
    ["country=-US", "country", "!US"],
    ["country=!", "country", "item"],
    ["country=US,!us", "country", "both included and excluded"],
    ["country=!Atlantis", "country", "Unknown country 'Atlantis'"],
    ["deal_types=!royaltee", "deal_types", "Unknown deal type"],
    ["sort=amount_desc&sort=amount_asc", "sort", "only lists may be repeated"],
    ["disclosed=maybe", "disclosed", "true or false"],
  ])("%s is refused with a text", async (query, parameter, text) => {
    const { status, answer } = await ask("funding", query);
    expect([status, answer.error!.details.map((detail) => detail.parameter)]).toEqual([400, [parameter]]);
    expect(answer.error!.message).toContain(text);
  });
}
