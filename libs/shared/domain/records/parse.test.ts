import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dealTypes } from "../vocabulary/deal-types.ts";
import { parseRecord, type ParsedRecord } from "./parse.ts";

const context = { dealTypes: dealTypes(), today: "2025-06-15" };
const round = {
  type: "round",
  id: "r",
  company_id: "c",
  announced_date: "2024-02-29",
  deal_type: "Seed",
  amount_usd: 5,
};

function accepted(input: unknown): ParsedRecord {
  const outcome = parseRecord(input, context);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.record;
}
function refused(input: unknown): Record<string, string> {
  const outcome = parseRecord(input, context);
  if (outcome.ok) throw new Error("it was accepted");
  return Object.fromEntries(outcome.problems.map(({ field, reason }) => [field, reason]));
}

describe("a record", () => {
  test("is stored in one shape, whatever was left out", () => {
    expect(accepted({ type: "company", id: "c", name: " Acme Labs ", country: "germany" }).body).toEqual({
      id: "c",
      name: "Acme Labs",
      slug: "acme-labs",
      aliases: [],
      country: "DE",
      city: null,
      category: null,
      domain: null,
      tech_stack: null,
      headcount: null,
      founded_year: null,
      observed_at: "2025-06-15",
    });
  });

  test("says all that is wrong with it at once", () => {
    expect(refused({ ...round, announced_date: "2023-02-29", amount_usd: -1, investors: [{}] })).toEqual({
      announced_date: `expected a date that exists, as YYYY-MM-DD, found "2023-02-29"`,
      amount_usd: "must not be negative",
      "investors.0.investor_id": "expected a text",
    });
    expect(refused({ ...round, investors: "Red, Blue" })).toEqual({ investors: `expected a list, found "Red, Blue"` });
  });

  test("of an unknown type names the known ones", () => {
    expect(refused({ type: "person" })["type"]).toContain("Known: company, investor, round, signal");
  });

  test("that is read again is the same: records in the queue can be checked once more", () => {
    for (const input of [
      { ...round, deal_type: "twelvefold auction" },
      { type: "signal", company_id: "c", key: "hiring", detected_at: "2025-06-14T23:30:00-05:00" },
      { type: "investor", id: "i", name: "北京资本", aliases: ["BJ Capital"] },
    ]) {
      const once = accepted(input);
      expect(accepted({ ...once.body, type: once.type })).toMatchObject({ id: once.id, body: once.body });
    }
  });
});

describe("a round", () => {
  test("counts an investor named twice once, a lead if any entry says so", () => {
    const investors = [{ investor_id: "i" }, { investor_id: "j" }, { investor_id: "i", is_lead: true }];
    expect(accepted({ ...round, investors }).body).toMatchObject({
      investors: [
        { investor_id: "i", is_lead: true },
        { investor_id: "j", is_lead: false },
      ],
    });
  });

  test("is not lost for a label that fits no deal type", () => {
    const record = accepted({ ...round, deal_type: "twelvefold auction" });
    expect(record.body).toMatchObject({ deal_type: "other", deal_type_label: "twelvefold auction" });
    expect(record.notes).toEqual([{ kind: "unknown_deal_type", value: "twelvefold auction" }]);
  });

  test("needs a date and says whether its amount is known", () => {
    const { announced_date: _, amount_usd: __, ...rest } = round;
    expect(Object.keys(refused(rest))).toEqual(["announced_date", "amount_usd"]);
    expect(accepted({ ...round, amount_usd: null }).body).toMatchObject({ amount_usd: null });
  });

  test("has an amount in whole cents", () => {
    expect(accepted({ ...round, amount_usd: 0.29 }).body).toMatchObject({ amount_usd: 0.29 });
    expect(refused({ ...round, amount_usd: 1.005 })["amount_usd"]).toBe("has more than two decimals");
    for (const amount_usd of [0.001, 1e-7, 100_000_000_000.125, 1_234_567_890_123.457])
      expect(refused({ ...round, amount_usd })["amount_usd"]).toBe("has more than two decimals");
    fc.assert(
      fc.property(fc.bigInt(0n, 2n ** 46n * 100n), (cents) => {
        const amount_usd = Number(`${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`);
        expect(accepted({ ...round, amount_usd }).body).toMatchObject({ amount_usd });
      }),
      { numRuns: 2000 },
    );
  });

  test("has an amount up to the largest that is summed exactly, above 2^46 in whole dollars", () => {
    for (const amount_usd of [9e13, 2 ** 46 + 1, 2 ** 46])
      expect(accepted({ ...round, amount_usd }).body).toMatchObject({ amount_usd });
    expect(refused({ ...round, amount_usd: 9e13 + 1 })["amount_usd"]).toMatch(/^is above 90000000000000 /);
    expect(refused({ ...round, amount_usd: 80_000_000_000_000.5 })["amount_usd"]).toBe(
      "has cents, which a number above 70368744177664 cannot hold exactly: write whole dollars",
    );
  });
});

describe("a signal", () => {
  const signal = { type: "signal", company_id: "c", key: "hiring", detected_at: "2025-06-14" };

  test("without an id is named by company, key and day, also when it is deleted", () => {
    expect(accepted(signal).id).toBe("c:hiring:2025-06-14");
    expect(accepted({ ...signal, op: "delete" })).toMatchObject({ id: "c:hiring:2025-06-14", body: null });
    expect(accepted({ type: "signal", op: "delete", id: "s" })).toMatchObject({ id: "s", body: null });
  });

  test("of a derived or misspelt key is refused with a suggestion", () => {
    expect(refused({ ...signal, key: "just_raised" })["key"]).toContain("is not a signal key that can be ingested");
    expect(refused({ ...signal, key: "hirng" })["key"]).toContain("did you mean 'hiring'?");
  });

  test("expires after it was detected and has a strength from 0 to 1", () => {
    expect(refused({ ...signal, expires_at: "2025-06-13", strength: 1.5 })).toEqual({
      expires_at: "is before detected_at",
      strength: "must be from 0 to 1",
    });
  });

  test("detected at a time counts from the UTC day of it", () => {
    expect(accepted({ ...signal, detected_at: "2025-06-14T23:30:00-05:00" }).body).toMatchObject({
      detected_at: "2025-06-15",
    });
  });
});

test("a country that nobody knows becomes null and is noted", () => {
  const record = accepted({ type: "company", id: "c", name: "Acme", country: "Atlantis" });
  expect(record.body).toMatchObject({ country: null });
  expect(record.notes).toEqual([{ kind: "unknown_country", value: "Atlantis" }]);
});

describe("a version", () => {
  const company = { type: "company", id: "c", name: "Acme" };

  test("so high that nothing could follow it is refused, also of a delete", () => {
    for (const record of [company, { type: "round", op: "delete", id: "r" }]) {
      for (const version of [4_102_444_800_000_001, Number.MAX_SAFE_INTEGER, 1e17]) {
        expect(Object.keys(refused({ ...record, version }))).toEqual(["version"]);
      }
      expect(refused({ ...record, version: Number.MAX_SAFE_INTEGER })["version"]).toContain(
        "must be at most 4102444800000000 (the year 2100 in microseconds)",
      );
    }
  });

  test.each([0, 7, Date.UTC(2026, 5) * 1000, 2_025_061_512_000_000])("of %d is accepted", (version) => {
    expect(accepted({ ...company, version }).version).toBe(version);
  });
});

describe("an unknown field", () => {
  const company = { type: "company", id: "c", name: "Acme" };
  const investors = [
    { investor_id: "i", is_leed: true },
    { investor_id: "j", is_leed: false, x: 1 },
  ];

  test("is noted, also one of an investor of a round, and of a delete", () => {
    expect(accepted({ ...company, cuntry: "US", nmae: "x" }).notes).toEqual([
      { kind: "unknown_field", value: "cuntry" },
      { kind: "unknown_field", value: "nmae" },
    ]);
    expect(accepted({ ...round, investors }).notes.map(({ value }) => value)).toEqual([
      "investors[].is_leed",
      "investors[].x",
    ]);
    expect(accepted({ type: "round", op: "delete", id: "r", raeson: "x" }).notes).toEqual([
      { kind: "unknown_field", value: "raeson" },
    ]);
    expect(accepted(JSON.parse('{"type":"company","id":"c","name":"A","__proto__":1,"constructor":2}')).notes).toEqual([
      { kind: "unknown_field", value: "__proto__" },
      { kind: "unknown_field", value: "constructor" },
    ]);
  });

  test("refuses the record when asked to, with the closest known one", () => {
    const strict = { ...context, strict: true };
    expect(parseRecord({ ...company, Country: "US", citty: "x", zzzz: 1 }, strict)).toEqual({
      ok: false,
      problems: [
        { field: "Country", reason: "is not a known field, did you mean 'country'?" },
        { field: "citty", reason: "is not a known field, did you mean 'city'?" },
        { field: "zzzz", reason: "is not a known field: remove it" },
      ],
    });
    expect(parseRecord({ ...round, investors: [{ investor_id: "i", is_leed: true }] }, strict)).toMatchObject({
      problems: [
        { field: "investors[].is_leed", reason: expect.stringContaining("did you mean 'investors[].is_lead'?") },
      ],
    });
    expect(parseRecord({ ...round, deal_type_label: "x" }, strict)).toMatchObject({ ok: true });
  });

  test("that is probably the missing one explains the refusal", () => {
    expect(refused({ type: "company", id: "c", nmae: "Acme", zzzz: 1 })).toEqual({
      name: "expected a text",
      nmae: "is not a known field, did you mean 'name'?",
    });
    expect(Object.keys(refused({ ...round, investors: [{ investorId: "i" }] }))).toEqual([
      "investors.0.investor_id",
      "investors[].investorId",
    ]);
    expect(Object.keys(refused({ tpye: "company", id: "c" }))).toEqual(["type", "tpye"]);
  });

  test("is none of those that a stored record has", () => {
    for (const record of [company, round, { type: "investor", id: "i", name: "I" }, { ...round, deal_type: "zorp" }]) {
      const { type, version, body } = accepted(record);
      expect(parseRecord({ type, version: version ?? 1, ...body }, { ...context, strict: true })).toMatchObject({
        ok: true,
      });
    }
  });
});

describe("a merge", () => {
  const merge = (fields: object) => accepted({ op: "merge", ...fields }).merge;

  test("carries what it says, normalised, and nothing else", () => {
    expect(merge({ type: "company", id: "c", country: "germany", city: null })).toEqual({ country: "DE", city: null });
    expect(merge({ type: "round", id: "r", deal_type: "Auction" })).toEqual({
      deal_type: "other",
      deal_type_label: "Auction",
    });
    expect(merge({ type: "round", id: "r", investor_ids: ["a", "a"] })).toEqual({
      investors: [{ investor_id: "a", is_lead: false }],
    });
    expect(merge({ type: "signal", id: "s", strength: 0.5 })).toEqual({ strength: 0.5 });
  });

  test("sees a stack or a headcount today, or on the day that it says", () => {
    expect(merge({ type: "company", id: "c", headcount: 5 })).toEqual({ headcount: 5, observed_at: "2025-06-15" });
    expect(merge({ type: "company", id: "c", tech_stack: ["Go"], observed_at: "2025-01-01" })).toEqual({
      tech_stack: ["Go"],
      observed_at: "2025-01-01",
    });
  });

  test("of a signal without id is named by company, key and day", () => {
    const named = { type: "signal", company_id: "c", key: "layoffs", detected_at: "2025-01-01" };
    expect(accepted({ ...named, op: "merge" })).toMatchObject({
      id: "c:layoffs:2025-01-01",
      merge: { company_id: "c", key: "layoffs", detected_at: "2025-01-01" },
    });
    expect(refused({ type: "signal", op: "merge", company_id: "c", strength: 1 })).toHaveProperty("detected_at");
  });

  test("is refused where a field is wrong, where a required one is null, and where it carries none", () => {
    const company = { type: "company", op: "merge", id: "c" };
    expect(refused({ ...company, name: null })).toHaveProperty("name");
    expect(refused({ ...company, headcount: -1, city: 5 })).toMatchObject({
      headcount: "must not be negative",
      city: "expected a text or null, found 5",
    });
    expect(refused({ type: "company", op: "merge", city: "Paris" })).toHaveProperty("id");
    expect(refused(company)).toEqual({ "": "a merge has to carry at least one field beside the id" });
    expect(refused({ ...company, slug: null })).toHaveProperty("slug");
    expect(merge({ ...company, slug: null, name: "Acme Labs" })).toEqual({ slug: "acme-labs", name: "Acme Labs" });
    expect(
      refused({ type: "round", op: "merge", id: "r", investors: [{ investor_id: "a" }], investor_ids: ["b"] }),
    ).toHaveProperty("investor_ids");
  });
});
