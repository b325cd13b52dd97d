import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { INGESTED_KEYS } from "../signals/catalogue.ts";
import { dealTypes } from "../vocabulary/deal-types.ts";
import { parseRecord, type ParsedRecord } from "./parse.ts";

const context = { dealTypes: dealTypes(), today: "2025-06-15" };
const company = { type: "company", id: "c", name: "Acme" };
const round = { type: "round", id: "r", company_id: "c", announced_date: "2024-02-29", amount_usd: 5 };
const signal = { type: "signal", company_id: "c", key: "hiring", detected_at: "2025-06-14" };

/** Records with `value` in one text each, and the field that a refusal has to name. */
const everyText = (value: string): [field: string, record: object][] => [
  ...["id", "name", "slug", "country", "city", "category", "domain"].map((field): [string, object] => [
    field,
    { ...company, [field]: value },
  ]),
  ["aliases.1", { ...company, aliases: ["A", value] }],
  ["tech_stack.0", { ...company, tech_stack: [value] }],
  ["kind", { ...company, type: "investor", kind: value }],
  ...["id", "company_id", "deal_type", "deal_type_label"].map((field): [string, object] => [
    field,
    { ...round, [field]: value },
  ]),
  ["investor_ids.0", { ...round, investor_ids: [value] }],
  ["investors.0.investor_id", { ...round, investors: [{ investor_id: value }] }],
  ["source_url", { ...round, source_url: `https://acme.example/${value}` }],
  ["id", { ...signal, id: value }],
  ["company_id", { ...signal, company_id: value }],
  ["evidence_url", { ...signal, evidence_url: `https://acme.example/${value}` }],
  ["id", { type: "round", op: "delete", id: value }],
  ["id", { type: "signal", op: "delete", id: value }],
];

const parsed = (record: object) => parseRecord(record, context);
function refusals(record: object): Record<string, string> {
  const outcome = parsed(record);
  return outcome.ok ? {} : Object.fromEntries(outcome.problems.map(({ field, reason }) => [field, reason]));
}
function accepted(record: object): ParsedRecord {
  const outcome = parsed(record);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return outcome.record;
}

describe("a text", () => {
  test.each([
    ["half a surrogate pair", "a\ud800b", "has half a character (the lone surrogate U+D800)"],
    ["the other half", "a\udfffb", "has half a character (the lone surrogate U+DFFF)"],
    ["NUL", "a\0b", "has a control character (U+0000)"],
    ["an escape sequence", "a\u001b[2Jb", "has a control character (U+001B)"],
    ["a C1 control character", "a\u009bb", "has a control character (U+009B)"],
    ["a line end", "a\nb", "has a line break (U+000A)"],
    ["a line separator", "a\u2028b", "has a line break (U+2028)"],
    ["a paragraph separator", "a\u2029b", "has a line break (U+2029)"],
  ])("with %s is refused in every field, with what to do", (_, value, reason) => {
    for (const [field, record] of everyText(value)) {
      expect(refusals(record)[field], field).toContain(reason);
      expect(refusals(record)[field]).toMatch(/: (remove it|write)/);
    }
  });

  test.each(["\u200b", " \u00a0 ", "\u3164", "\u2060\u200d", "\u2800", "\ufe0f", "\u{e0041}", "\u115f\u1160"])(
    "of invisible characters (%j) counts as empty",
    (value) => {
      for (const field of ["id", "name"]) {
        expect(refusals({ ...company, [field]: value })[field]).toMatch(/^must not be empty/);
      }
      expect(refusals({ ...company, aliases: [value] })["aliases.0"]).toMatch(/^must not be empty/);
      expect(refusals({ ...signal, id: value })["id"]).toMatch(/^must not be empty/);
      expect(accepted({ ...company, city: value, slug: value, country: value })).toMatchObject({
        body: { city: null, slug: "acme", country: null },
        notes: [],
      });
    },
  );

  test("may hold any other character: emoji with joiners, right-to-left marks, a replacement character", () => {
    for (const name of ["Family 👩‍👩‍👧", "شركة\u200f X", "A\ufffdB", "कंपनी", "\u{10ffff}x"]) {
      expect(accepted({ ...company, id: name, name }).body).toMatchObject({ id: name, name });
    }
  });
});

describe("an id", () => {
  test("is never the same as another one in Elasticsearch: accepted ids that differ have different bytes", () => {
    const any = fc.string({ unit: "binary", maxLength: 6 });
    const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
    const halves = fc.array(fc.oneof(unit, fc.constantFrom("\ud800", "\udfff", "a")), { maxLength: 3 });
    const anyId = fc.oneof(
      any,
      halves.map((units) => units.join("")),
    );
    fc.assert(
      fc.property(anyId, anyId, (a, b) => {
        const bytes = [a, b].flatMap((id) => {
          const outcome = parsed({ ...company, id });
          return outcome.ok ? [Buffer.from(outcome.record.id).toString("hex")] : [];
        });
        if (a !== b) expect(new Set(bytes).size).toBe(bytes.length);
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("is taken as it is: case and composition make two", () => {
    const ids = ["acme", "Acme", "\u00e9", "e\u0301"];
    expect(ids.map((id) => accepted({ ...company, id }).id)).toEqual(ids);
  });

  test("has no blank at its ends and fits into an Elasticsearch id, measured in bytes", () => {
    expect(refusals({ ...company, id: "c " })).toEqual({ id: "begins or ends with a blank: remove it" });
    expect(refusals({ ...company, id: "é".repeat(201) })).toEqual({
      id: "is 402 bytes long, at most 400 are allowed: shorten it",
    });
    const longest = accepted({ ...company, id: "é".repeat(200) }).id;
    for (const key of INGESTED_KEYS) {
      const own = accepted({ ...signal, company_id: longest, key }).id;
      expect(accepted({ ...signal, company_id: longest, key, id: own }).id).toBe(own);
    }
  });
});

describe("a slug", () => {
  test.each(["/../", "..", "!!!", "🚀"])("without a letter or digit (%s) is refused", (slug) => {
    expect(refusals({ ...company, slug })).toEqual({
      slug: "has no letter or digit: write one such as acme-labs, or leave it out",
    });
  });

  test.each([
    ["????", "co-7", "co-7"],
    ["🚀🚀", "Rocket & Co", "rocket-co"],
    ["!!!", "🚀", "1f680"],
  ])("of a name without a letter or digit (%s, id %s) comes from the id: %s", (name, id, slug) => {
    expect(accepted({ ...company, name, id }).body).toMatchObject({ name, slug });
  });
});

test("an accepted record is read again as the same: the indexer refuses nothing that `ops ingest` took", () => {
  const anyText = fc.oneof(
    fc.string({ unit: "binary", maxLength: 20 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 500 }),
    fc.constantFrom("ﷺ".repeat(500), "W".repeat(500), "\u{1d54f}".repeat(500)),
  );
  const shape = { name: anyText, id: anyText, slug: fc.option(anyText), city: anyText, aliases: fc.array(anyText) };
  fc.assert(
    fc.property(fc.record(shape), (fields) => {
      const outcome = parsed({ type: "company", ...fields });
      if (!outcome.ok) return;
      const { record } = outcome;
      expect(accepted({ ...record.body, type: record.type })).toMatchObject({ id: record.id, body: record.body });
    }),
    { seed: 1, numRuns: 500 },
  );
});

describe.each([
  ["source_url", (url: string) => ({ ...round, source_url: url })],
  ["evidence_url", (url: string) => ({ ...signal, evidence_url: url })],
])("%s", (field, withUrl) => {
  test.each([
    "https://acme.example/news?q=a%22b#top",
    "HTTP://acme.example:8443/o'neill/(a)",
    "https://bücher.example/",
    "https://my_host.example",
    "http://[2001:db8::1]/x@y",
    "https://acme.example?by=a@b.example",
  ])("takes %s", (url) => expect(accepted(withUrl(url))).toMatchObject({ body: { [field]: url } }));

  test.each([
    ["https://user:pw@evil.example", "has a user name or a password before '@': remove them"],
    ["https://@evil.example", "has a user name or a password before '@': remove them"],
    ['https://a"onmouseover="x', `has the character ": write it as %22`],
    ["https://acme.example/<script>", "has the character <: write it as %3C"],
    ["https:\\\\evil.example", "expected an http(s) address, such as https://acme.example/news"],
    ["https://acme.example\\@evil.example", "has the character \\: write it as %5C"],
    [
      "https://a'onmouseover='x",
      "has 'a'onmouseover='x' as its host: expected letters, digits, '-' and '.', such as acme.example",
    ],
    ["javascript:alert(1)", "expected an http(s) address, such as https://acme.example/news"],
  ])("refuses %s", (url, reason) => {
    const found = reason.startsWith("expected") ? `${reason}, found ${JSON.stringify(url)}` : reason;
    expect(refusals(withUrl(url))).toEqual({ [field]: found });
  });
});
