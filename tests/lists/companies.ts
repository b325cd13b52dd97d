import { parse } from "csv-parse/sync";
import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "../support/documented.ts";
import type { Fixture } from "../support/with-service.ts";
import { company, deletion, round, signal } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

export function testCompanies({ service, queues }: Fixture): void {
  let key: string;

  beforeAll(async () => {
    key = await service.key();
    await queues.send([
      company(1, "co-a", {
        name: "Ängström",
        country: "SE",
        domain: "https://www.angstrom.example/",
        founded_year: 1999,
      }),
      company(1, "co-b", { name: "Beta Works", country: "DE", headcount: 12 }),
      company(1, "co-c", { name: "Crane", country: "DE", slug: "The_Crane" }),
      company(1, "co-d", { name: "Delta", country: "DE" }),
      round(1, "rnd-b", "co-b", { amount_usd: 5_000_000 }),
      round(1, "rnd-c1", "co-c", { announced_date: "2011-01-01", amount_usd: 9_000_000 }),
      round(1, "rnd-c2", "co-c", { announced_date: "2012-01-01", amount_usd: null }),
      signal(1, "co-d", "hiring"),
    ]);
    await queues.settled();
  });

  type Row = { company: { id: string }; latest_funding: object | null; signals: string[] } & Record<string, unknown>;
  type Page = { data: Row[]; pagination: { count: number } };

  async function ask(path: string, headers: Record<string, string> = {}): Promise<{ status: number; text: string }> {
    const response = await fetchUnlessBusy(`${service.base}${path}`, {
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
    const text = await response.text();
    if (!headers["accept"]) expect(undocumented(`/api/v1${path.split("?")[0]}`, response, text)).toEqual([]);
    return { status: response.status, text };
  }
  const page = async (path: string): Promise<Page> => JSON.parse((await ask(path)).text) as Page;
  const ids = ({ data }: Page) => data.map((row) => row.company.id).join(" ");

  describe("the list of companies", () => {
    test("finds a company by its domain, however the record or the caller writes it", async () => {
      for (const written of [
        "angstrom.example",
        "https://www.angstrom.example/",
        "WWW.Angstrom.example",
        "http://angstrom.example/team",
      ]) {
        expect(ids(await page(`/companies?companies=${encodeURIComponent(written)}`))).toBe("co-a");
        const without = (await page(`/companies?companies=!${encodeURIComponent(written)}`)) as Page & {
          warnings?: object[];
        };
        expect([ids(without), without.warnings]).toEqual(["co-b co-c co-d", undefined]);
      }
    });

    test("has companies with live signals and without, by name", async () => {
      const all = await page("/companies");
      expect([all.pagination.count, ids(all)]).toEqual([4, "co-a co-b co-c co-d"]);
      expect(all.data[0]).toMatchObject({
        latest_funding: null,
        signals: [],
        domain: "https://www.angstrom.example/",
        founded_year: 1999,
        headcount: null,
      });
      expect(ids(await page("/signals?sort=name_asc"))).toBe("co-b co-d");
    });

    test.each([
      ["name_desc", "co-d co-c co-b co-a"],
      ["total_raised_desc", "co-c co-b co-a co-d"],
      ["total_raised_asc", "co-b co-c co-a co-d"],
      ["latest_funding_desc", "co-b co-c co-a co-d"],
      ["latest_funding_asc", "co-c co-b co-a co-d"],
      ["round_count_desc", "co-c co-b co-a co-d"],
    ])("is ordered by %s", async (sort, expected) => expect(ids(await page(`/companies?sort=${sort}`))).toBe(expected));

    test("has the filters of the signals list", async () => {
      expect(ids(await page("/companies?country=DE&min_signal_score=1"))).toBe("co-b co-d");
      expect(ids(await page("/companies?signal=hiring"))).toBe("co-d");
    });

    test("comes as a table with three more columns, and as lines", async () => {
      const { text } = await ask("/companies", { accept: "text/csv" });
      const [header, first] = parse(text);
      expect(header!.slice(-4)).toEqual(["updated_at", "domain", "founded_year", "headcount"]);
      expect(first!.slice(-3)).toEqual(["https://www.angstrom.example/", "1999", ""]);
      const lines = (await ask("/companies", { accept: "application/x-ndjson" })).text.trim().split("\n");
      expect(lines.map((line) => JSON.parse(line) as Row)).toEqual((await page("/companies")).data);
      const { data } = await page("/companies?format=flat&country=DE");
      expect(data[0]).toMatchObject({ company_id: "co-b", headcount: 12 });
    });

    test("follows changes of companies without live signals", async () => {
      const german = async () => ids(await page("/companies?country=DE"));
      const before = [await german(), await german()];
      expect(before).toEqual(["co-b co-c co-d", "co-b co-c co-d"]);
      await queues.send([company(2, "co-c", { name: "Crane", country: "FR" })]);
      await queues.settled();
      expect(await german()).toBe("co-b co-d");
      await queues.send([deletion(3, "company", "co-a"), company(3, "co-c", { name: "Crane", country: "DE" })]);
      await queues.settled();
      expect([await german(), (await page("/companies")).pagination.count]).toEqual(["co-b co-c co-d", 3]);
    });
  });

  test("a CSV has texts as they are stored for programs that ask for it", async () => {
    await queues.send([company(1, "co-formula", { name: "=1+1" }), company(1, "co-quoted", { name: "'=1+1" })]);
    await queues.settled();
    const names = async (path: string, headers: Record<string, string>): Promise<string[]> => {
      const { status, text } = await ask(path, headers);
      expect(status, text).toBe(200);
      return parse<{ company_name: string }>(text, { columns: true }).map((row) => row.company_name);
    };
    const only = "companies=co-formula,co-quoted";
    const csv = { accept: "text/csv" };
    expect(await names(`/companies?${only}&sort=round_count_desc`, csv)).toEqual(["'=1+1", "'=1+1"]);
    expect(await names(`/companies?${only}&sort=round_count_desc&text=raw`, csv)).toEqual(["=1+1", "'=1+1"]);
    expect(await names(`/companies/export?${only}&format=csv`, csv)).toEqual(["'=1+1", "'=1+1"]);
    expect(await names(`/companies/export?${only}&format=csv&text=raw`, csv)).toEqual(["=1+1", "'=1+1"]);

    const { status, text } = await ask(`/companies?${only}&text=raw`);
    expect([status, text]).toEqual([
      400,
      expect.stringContaining("Send the header Accept: text/csv, or leave 'text' out."),
    ]);
  });
}
