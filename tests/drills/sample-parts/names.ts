import { readFileSync } from "node:fs";
import type { InvestorDocument } from "@tranche/read-models/documents/investors";
import { type Names, wordsByName } from "@tranche/read-models/documents/names";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import {
  createMatchOf,
  isSimilar,
  MATCHES,
  type Match,
  type Named,
  nameQuery,
} from "@tranche/read-models/query/name-match";
import { searchAll } from "@tranche/shared/engines/search/search-all";
import { byCodePoint } from "@tranche/shared/domain/text/order";
import { beforeAll, describe, expect, test } from "vitest";
import { undocumented } from "../../support/documented.ts";
import type { Fixture } from "../../support/with-service.ts";

/** Queries as people type them, by kind, each with the id that they mean, or with the type and the key. */
const QUERIES = JSON.parse(readFileSync(new URL("../../support/name-queries.json", import.meta.url), "utf8")) as Record<
  string,
  [q: string, expected: string][]
>;

type Found = { type: string; id: string | null; key: string; name: string; matched: Match; rounds: number };
type Reply = {
  data: Found[];
  error: { message: string; details: { parameter: string; suggestion?: string; allowed?: string[] }[] };
};

/** Searches the whole sample by name. `plan`: one without limits. */
export function testNames({ service, client, names }: Fixture, plan: string): void {
  let key: string;
  beforeAll(async () => void (key = await service.key(plan)));

  async function ask(path: string): Promise<{ status: number; body: Reply }> {
    const response = await fetch(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await response.text();
    const [, list, id] = path.split("?")[0]!.split("/");
    expect(undocumented(`/api/v1/${list}${id === undefined ? "" : "/{id}"}`, response, text)).toEqual([]);
    return { status: response.status, body: JSON.parse(text) as Reply };
  }
  const find = async (q: string, rest = "") => (await ask(`/search?q=${encodeURIComponent(q)}${rest}`)).body.data;

  test("most queries find what they mean first, nearly all among the first five", async () => {
    const missed: string[] = [];
    const figures = { queries: 0, first: 0, amongFive: 0 };
    for (const [kind, queries] of Object.entries(QUERIES)) {
      for (const [q, expected] of queries) {
        const place = (await find(q)).findIndex(({ type, id, key: of }) => expected === (id ?? `${type}:${of}`));
        figures.queries++;
        if (place === 0) figures.first++;
        else missed.push(`${kind}: ${q} has ${expected} at ${place}`);
        if (place >= 0 && place < 5) figures.amongFive++;
      }
    }
    const { queries, first, amongFive } = figures;
    console.log(`${queries} queries: ${first / queries} at 1, ${amongFive / queries} at 5\n${missed.join("\n")}`);
    expect(queries).toBeGreaterThanOrEqual(200);
    expect(first / queries).toBeGreaterThanOrEqual(0.95);
    expect(amongFive / queries).toBeGreaterThanOrEqual(0.99);
  });

  describe("the search finds in Elasticsearch what plain loops over all names find", () => {
    type Candidate = { id: string; named: Named; rounds: number };
    const all: Candidate[] = [];
    beforeAll(async () => {
      const read = async <T extends CompanyDocument | InvestorDocument>(
        model: "companies" | "investors",
        sort: string,
        candidate: (document: T) => Candidate,
      ) => {
        const request = {
          index: names.role(model, "live"),
          query: { exists: { field: sort } },
          sort: [sort],
          source: true,
        };
        for await (const page of searchAll<T>(client, request)) all.push(...page.map(candidate));
      };
      await read<CompanyDocument>("companies", "company_id", (document) => ({
        id: document.company_id,
        named: { ...namedOf(document), keys: document.company_keys, domain: document.domain },
        rounds: document.round_count,
      }));
      await read<InvestorDocument>("investors", "investor_id", (document) => ({
        id: document.investor_id,
        named: { ...namedOf(document), keys: document.investor_keys, domain: null },
        rounds: document.round_count,
      }));
    });
    const namedOf = ({ name_key, name_prefixes }: Names) => ({
      key: name_key,
      names: wordsByName(name_prefixes),
    });

    const byLoops = (q: string, limit: number): string[] => {
      const query = nameQuery(q);
      const matchOf = createMatchOf(query);
      const matching = all.flatMap((each) => {
        const matched = matchOf(each.named);
        return matched ? [{ ...each, rank: MATCHES.indexOf(matched) }] : [];
      });
      const similar = () =>
        all.flatMap((each) => (!matchOf(each.named) && isSimilar(query, each.named) ? [{ ...each, rank: 3 }] : []));
      const found = matching.length < limit ? [...matching, ...similar()] : matching;
      const sorted = found.toSorted(
        (a, b) =>
          a.rank - b.rank || b.rounds - a.rounds || byCodePoint(a.named.key!, b.named.key!) || byCodePoint(a.id, b.id),
      );
      return sorted.slice(0, limit).map(({ id, rank }) => `${MATCHES[rank]} ${id}`);
    };

    const SOME = [
      "a",
      "s c",
      "c s ca",
      "data d",
      "new n",
      "labs l",
      "media medi",
      "the",
      "health",
      "grene",
      "solr",
      "inc",
    ];
    test.each([
      ...SOME,
      ...Object.values(QUERIES).flatMap((queries) => queries.filter((_, i) => i % 5 === 0).map(([q]) => q)),
    ])("%s", async (q) => {
      const found = await find(q, "&types=company,investor&limit=20");
      expect(found.map(({ id, matched }) => `${matched} ${id}`)).toEqual(byLoops(q, 20));
    });
  });

  test("types narrow a search, and limit shortens it", async () => {
    expect((await find("san francisco", "&types=city")).every(({ type }) => type === "city")).toBe(true);
    expect(await find("capital", "&limit=3")).toHaveLength(3);
    expect(await find("facebook", "&types=country")).toEqual([]);
  });

  test.each([
    ["", "needs the parameter 'q'"],
    ["?q=!!", "at least one letter or digit"],
    [`?q=${"a".repeat(101)}`, "at most 100 characters; this text has 101"],
    [`?q=${encodeURIComponent("ﷺ ".repeat(34))}`, "at most 50 words"],
    ["?q=acme&types=person", "Unknown type 'person'"],
    ["?q=acme&limit=21", "from 1 to 20"],
    ["?q=acme&limit=0", "from 1 to 20"],
    ["?q=acme&q=zeta", "more than once"],
  ])("/search%s is refused", async (query, message) => {
    const { status, body } = await ask(`/search${query}`);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(message)]);
  });

  test("queries made to be slow cost no more than others", async () => {
    const hostile = [
      "a ".repeat(50),
      "a aa aaa aaaa aaaaa aaaaaa",
      "abcdefgh ".repeat(11),
      "aaaa ".repeat(20),
      "ca".repeat(50),
    ];
    for (const q of hostile) {
      const took: number[] = [];
      for (let tries = 0; tries < 3; tries++) {
        const start = performance.now();
        await find(q.trim());
        took.push(performance.now() - start);
      }
      expect(Math.min(...took), q).toBeLessThan(1500);
    }
  });

  test("the list of companies filters by name, exactly counted, in each of its orders", async () => {
    const pageOf = async (query: string) =>
      (await ask(`/companies?${query}`)).body as unknown as {
        data: { company: { id: string } }[];
        pagination: { count: number };
      };
    expect((await pageOf("q=sorrelnook.example")).data.map(({ company }) => company.id)).toEqual([
      "co-showcase-sorrelnook-pay",
    ]);
    const networks = await pageOf("q=networks&sort=round_count_desc&limit=50");
    expect(networks.pagination.count).toBeGreaterThan(100);
    const german = await pageOf("q=networks&country=!US");
    expect(german.pagination.count).toBeLessThan(networks.pagination.count);
    expect((await pageOf("q=facebok")).pagination.count).toBe(0);
  });

  test("the list of investors filters by name", async () => {
    const { data } = (await ask("/investors?q=sequoia cap")).body;
    expect(data.map(({ id }) => id)).toContain("inv-sequoia-capital");
    expect((await ask("/investors?q=sequoya")).body.data).toEqual([]);
  });

  describe("a look-up", () => {
    test.each([
      ["sorrelnook.example"],
      [encodeURIComponent("https://www.sorrelnook.example/about")],
      ["Sorrelnook-Pay"],
      ["co-showcase-sorrelnook-pay"],
    ])("finds a company by %s", async (id) => {
      const { body } = await ask(`/companies/${id}`);
      expect((body.data as unknown as { company: { id: string } }).company.id).toBe("co-showcase-sorrelnook-pay");
    });

    test.each([
      ["companies", "facebok", "co-facebook"],
      ["companies", "co-fcebook", "co-facebook"],
      ["investors", "sequoia-captial", "inv-sequoia-capital"],
      ["investors", "acel-partners", "inv-accel-partners"],
    ])("of /%s/%s names the closest", async (list, id, closest) => {
      const { status, body } = await ask(`/${list}/${id}`);
      expect([status, body.error.details[0]]).toEqual([
        404,
        expect.objectContaining({ parameter: "id", suggestion: closest }),
      ]);
      expect(body.error.details[0]!.allowed!.length).toBeLessThanOrEqual(3);
      expect(body.error.message).toContain(`Did you mean '${closest}'`);
    });

    test.each(["zzzzqqqq", "does-not-exist"])("of %s, like no name, says only that there is none", async (id) => {
      const { status, body } = await ask(`/companies/${id}`);
      expect([status, body.error.details]).toEqual([404, undefined]);
    });
  });
}
