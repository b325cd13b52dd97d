import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "../support/documented.ts";
import type { Fixture } from "../support/with-service.ts";
import { company, investor, round } from "../support/writes.ts";
import { fetchUnlessBusy } from "../support/unless-busy.ts";

export function testSpellings({ service, queues }: Fixture): void {
  let key: string;

  beforeAll(async () => {
    key = await service.key();
    await queues.send([
      company(1, "co-amp", { name: "Kite & Sons" }),
      company(1, "co-and", { name: "Reed and Rye" }),
      company(1, "co-neither", { name: "Reed Rye Mills", slug: "mills-mills" }),
      company(1, "co-greek", { name: "ΣΊΣ Φως" }),
      company(1, "co-signs", { name: "!!!", aliases: ["Bang"] }),
      investor(1, "inv-amp", { name: "Plug & Play" }),
      investor(1, "inv-and", { name: "Salt and Sea" }),
      investor(1, "inv-greek", { name: "Νόμος" }),
      investor(1, "inv-signs", { name: "***" }),
      ...["inv-amp", "inv-and", "inv-greek"].map((id) =>
        round(1, `rnd-${id}`, "co-amp", { investors: [{ investor_id: id, is_lead: true }] }),
      ),
    ]);
    await queues.investorsSettled();
  });

  async function ask(path: string): Promise<{ status: number; body: Record<string, unknown> & { data: Row[] } }> {
    const response = await fetchUnlessBusy(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    const [, list, id] = path.split("?")[0]!.split("/");
    expect(undocumented(`/api/v1/${list}${id === undefined ? "" : "/{id}"}`, response, text)).toEqual([]);
    return { status: response.status, body: JSON.parse(text) as never };
  }
  type Row = { id?: string; company?: { id: string } };
  const idOf = ({ id, company: of }: Row) => id ?? of?.id;
  const found = async (path: string) => (await ask(path)).body.data.map(idOf);

  const COMPANIES = [
    ["co-amp", ["Kite & Sons", "kite and sons", "KITE-AND-SONS", "kite-sons", "Kite ＆ Sons"]],
    ["co-and", ["Reed and Rye", "reed & rye", "reed-rye"]],
    ["co-greek", ["ΣΊΣ Φως", "σίς φώς", "ΣΙΣ ΦΩΣ", "σισ φωσ"]],
  ] as const;
  const INVESTORS = [
    ["inv-amp", ["Plug & Play", "plug and play", "plug-and-play", "plug-play"]],
    ["inv-and", ["Salt and Sea", "salt & sea", "salt-sea"]],
    ["inv-greek", ["Νόμος", "ΝΟΜΟΣ", "νομοσ"]],
  ] as const;

  describe("each spelling of a name finds it", () => {
    test.each(COMPANIES)("company %s", async (id, spellings) => {
      for (const text of spellings) {
        const written = encodeURIComponent(text);
        expect(await found(`/companies?companies=${written}`), text).toEqual([id]);
        expect(await found(`/companies?q=${written}`), text).toEqual(
          id === "co-and" && !/and/.test(text) ? ["co-and", "co-neither"] : [id],
        );
        const { body } = await ask(`/companies/${written}`);
        expect(body.data, text).toMatchObject({ company: { id } });
        const [first] = (await ask(`/search?q=${written}&types=company`)).body.data;
        expect(first, text).toMatchObject({ id, matched: "exact" });
      }
    });

    test.each(INVESTORS)("investor %s", async (id, spellings) => {
      for (const text of spellings) {
        const written = encodeURIComponent(text);
        for (const parameter of ["investors", "lead_investors"])
          expect(await found(`/funding?${parameter}=${written}`), text).toEqual([`rnd-${id}`]);
        expect(await found(`/funding?investors=!${written}`), text).not.toContain(`rnd-${id}`);
        expect(await found(`/companies?investors=${written}`), text).toEqual(["co-amp"]);
        expect(await found(`/investors?q=${written}`), text).toEqual([id]);
        expect((await ask(`/investors/${written}`)).body.data, text).toMatchObject({ investor: { id } });
        const [first] = (await ask(`/search?q=${written}&types=investor`)).body.data;
        expect(first, text).toMatchObject({ id, matched: "exact" });
      }
    });
  });

  test("a name with neither `&` nor `and` is not found with one, and slugs are as they were", async () => {
    expect(await found(`/companies?companies=${encodeURIComponent("Reed and Rye Mills")}`)).toEqual([]);
    expect((await ask("/companies/mills-and-mills")).status).toBe(404);
    expect((await ask("/companies/co-amp")).body.data).toMatchObject({ company: { slug: "kite-sons" } });
    expect((await ask("/companies/co-greek")).body.data).toMatchObject({ company: { slug: "σις-φως" } });
  });

  test("the beginning of a word in capitals finds a Greek name", async () => {
    expect(await found(`/companies?q=${encodeURIComponent("ΦΩΣ Σ")}`)).toEqual(["co-greek"]);
  });

  test("names without a letter or digit are last in both directions, on every page", async () => {
    const walk = async (list: string, sort: string): Promise<unknown[]> => {
      const ids: unknown[] = [];
      for (let next: string | null = ""; next !== null;) {
        const { body }: Awaited<ReturnType<typeof ask>> = await ask(
          `/${list}?sort=${sort}&limit=1${next === "" ? "" : `&cursor=${next}`}`,
        );
        ids.push(...body.data.map(idOf));
        next = (body["pagination"] as { next_cursor: string | null }).next_cursor;
      }
      return ids;
    };
    const byName = ["co-amp", "co-and", "co-neither", "co-greek"];
    expect(await walk("companies", "name_asc")).toEqual([...byName, "co-signs"]);
    expect(await walk("companies", "name_desc")).toEqual([...byName.toReversed(), "co-signs"]);
    expect(await walk("investors", "name_asc")).toEqual(["inv-amp", "inv-and", "inv-greek", "inv-signs"]);
    expect(await found("/companies?sort=name_asc&offset=4")).toEqual(["co-signs"]);
    expect(await found("/search?q=bang")).toEqual(["co-signs"]);
  });
}
