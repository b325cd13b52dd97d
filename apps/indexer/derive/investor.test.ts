import { rowOf } from "@tranche/read-models/documents/row-text";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { describe, expect, test } from "vitest";
import { investorDocument, NO_ROUNDS } from "./investor.ts";

const RECORD: StoredRecord<"investor"> = {
  id: "inv",
  version: 1,
  updated_at: "2025-01-01T00:00:00Z",
  body: { id: "inv", name: "Élan Vital", slug: "elan", aliases: ["EV"], country: "FR", kind: "Angel Group" },
};

describe("an investors document", () => {
  test("is searched by keys", () => {
    expect(investorDocument(RECORD, NO_ROUNDS)).toMatchObject({
      listed: true,
      investor_id: "inv",
      name_key: "elan-vital",
      name_head: "ela",
      investor_keys: ["elan-vital", "elan", "ev"],
      country: "FR",
      kind_key: "angel-group",
    });
  });

  test("with `&` or `and` is found by both, and without a letter or digit it has no key to sort by", () => {
    const named = (name: string) =>
      investorDocument({ ...RECORD, body: { ...RECORD.body!, name, slug: "slug", aliases: [] } }, NO_ROUNDS);
    expect(named("Kite & Sons")).toMatchObject({
      name_key: "kite-sons",
      name_prefixes: "k ki kit kite a an and s so son sons",
      investor_keys: ["kite-sons", "kite-and-sons", "slug"],
    });
    expect(named("Kite and Sons")).toMatchObject({
      name_key: "kite-and-sons",
      investor_keys: ["kite-and-sons", "kite-sons", "slug"],
    });
    expect(named("&")).toMatchObject({ name_key: null, name_head: null, investor_keys: ["and", "slug"] });
  });

  test("of an investor without rounds has zeros and no days", () => {
    expect(rowOf(investorDocument(RECORD, NO_ROUNDS).row)).toMatchObject({
      round_count: 0,
      lead_count: 0,
      company_count: 0,
      first_round_date: null,
      latest_round_date: null,
      top_categories: [],
    });
  });

  test("has the five most frequent values, ties by key, and all values to search by", () => {
    const counts = { g: 1, f: 1, a: 2, e: 1, d: 1, c: 1, b: 7 };
    const document = investorDocument(RECORD, {
      ...NO_ROUNDS,
      rounds: 14,
      days: ["2013-05-01", "2009-02-03", "2011-01-01"],
      categories: Object.entries(counts).map(([key, count]) => ({ key, count })),
    });
    const row = rowOf(document.row);
    expect(row.top_categories.map(({ key }) => key)).toEqual(["b", "a", "c", "d", "e"]);
    expect(document.category_keys).toEqual(["a", "b", "c", "d", "e", "f", "g"]);
    expect(document.round_dates).toEqual(["2009-02-03", "2011-01-01", "2013-05-01"]);
    expect([row.first_round_date, row.latest_round_date]).toEqual(["2009-02-03", "2013-05-01"]);
  });
});
