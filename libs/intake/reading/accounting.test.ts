import type { ParsedRecord } from "@tranche/shared/domain/records/parse";
import type { RoundRecord } from "@tranche/shared/domain/records/record";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseMapping } from "../mapping/mapping.ts";
import { readInputs } from "./read.ts";
import { createRefusals, type Refused } from "./refusals.ts";
import { createFileProgress } from "./file-progress.ts";
import { createIngestCounter } from "./counter.ts";

/** Reads CSV text as `ops ingest` does; records by id, the last one of each. */
async function ingest(mapping: object, text: string) {
  const counter = createIngestCounter();
  const refused: Refused[] = [];
  const records = new Map<string, ParsedRecord>();
  const bytes = async function* () {
    yield Buffer.from(text);
  };
  const open = async () => ({ bytes: bytes(), size: undefined, read: () => 0 });
  await readInputs(
    { inputs: [{ file: "rows.csv", name: "rows.csv", open }], format: "csv", mapping: parseMapping(mapping) },
    {
      vocabulary: { dealTypes: dealTypes(), today: "2026-01-01" },
      progress: { begin: () => {}, at: () => {}, warn: () => {} },
      refusals: createRefusals((one) => void refused.push(one)),
      counter,
      fileProgress: createFileProgress([], () => ({ added: 0, enqueued: 0 })),
      interrupted: new AbortController().signal,
    },
    async (record) => void records.set(record.id, record),
  );
  return { summary: counter.summary(0, false), refused, records };
}

type Row = { name: string; date: string; amount: string; kind: string; investors: string };
type Choices = { skip: boolean; drop_duplicate_rows: boolean; merge: boolean; orNull: boolean };

const row: fc.Arbitrary<Row> = fc.record({
  name: fc.constantFrom("A", "B", "b", "", "!!"),
  date: fc.constantFrom("2020-01-02", "2020-01-02", "2021-03-04", "", "2020-02-31"),
  amount: fc.constantFrom("5", "7", "", "1,5"),
  kind: fc.constantFrom("", "", "total"),
  investors: fc.constantFrom("P", "Q", "p;Q;R", ""),
});
const choices: fc.Arbitrary<Choices> = fc.record({
  skip: fc.boolean(),
  drop_duplicate_rows: fc.boolean(),
  merge: fc.boolean(),
  orNull: fc.boolean(),
});

const mappingOf = ({ skip, drop_duplicate_rows, merge, orNull }: Choices) => ({
  drop_duplicate_rows,
  skip: skip ? [{ column: "kind", fits: "total" }] : [],
  values: {
    name: { column: "name" },
    date: { column: "date", as: "date" },
    amount: { column: "amount", as: "amount", ...(orNull ? { else: null } : {}) },
    investors: { column: "investors", as: "list", separator: ";" },
  },
  records: [
    { type: "company", merge: true, fields: { id: "co-{name:key}", name: "{name}" } },
    {
      type: "round",
      merge,
      fields: {
        id: merge ? "r-{name:key}-{date}" : "r-{name:key}-{date}-{n}",
        company_id: "co-{name:key}",
        announced_date: "{date}",
        amount_usd: "{amount}",
        investor_ids: "inv-{investors:key}",
      },
    },
  ],
});

/** The expected fate of the rows, computed plainly. */
function model(rows: readonly Row[], chosen: Choices) {
  const counts = { read: rows.length, with_records: 0, refused: 0, skipped: 0 };
  const companies = new Set<string>();
  const rounds: { key: string; amount: number | null; investors: Set<string> }[] = [];
  const refusedLines: number[] = [];
  const seen = new Set<string>();
  for (const [index, { name, date, amount, kind, investors }] of rows.entries()) {
    const whole = [name, date, amount, kind, investors].join();
    const isRepeated = seen.has(whole);
    if ([name, date, amount, kind, investors].every((text) => text === "")) counts.skipped++;
    else if (chosen.skip && kind === "total") counts.skipped++;
    else if (chosen.drop_duplicate_rows && isRepeated) counts.skipped++;
    else if (!/^[a-z]$/i.test(name) || !date || date === "2020-02-31" || (amount === "1,5" && !chosen.orNull)) {
      counts.refused++;
      refusedLines.push(index + 2);
    } else {
      counts.with_records++;
      companies.add(name.toLowerCase());
      const key = `${name.toLowerCase()} ${date}`;
      const dollars = amount === "" || amount === "1,5" ? null : Number(amount);
      const ids = investors === "" ? [] : investors.toLowerCase().split(";");
      const known = chosen.merge ? rounds.find((round) => round.key === key) : undefined;
      if (!known) rounds.push({ key, amount: dollars, investors: new Set(ids) });
      else {
        known.amount ??= dollars;
        for (const id of ids) known.investors.add(id);
      }
    }
    if (!(chosen.skip && kind === "total")) seen.add(whole);
  }
  return { counts, companies: [...companies].toSorted(), rounds: rounds.map(shown).toSorted(), refusedLines };
}

const shown = (round: { key: string; amount: number | null; investors: Iterable<string> }) =>
  JSON.stringify([round.key, round.amount, [...round.investors].toSorted()]);

test("of random files and mappings, every row gives records, is refused once or is left out, as a plain model says", async () => {
  const property = fc.asyncProperty(fc.array(row, { maxLength: 12 }), choices, async (rows, chosen) => {
    const lines = rows.map(({ name, date, amount, kind, investors }) =>
      [name, date, `"${amount}"`, kind, investors].join(),
    );
    const { summary, refused, records } = await ingest(
      mappingOf(chosen),
      ["name,date,amount,kind,investors", ...lines].join("\n"),
    );
    const expected = model(rows, chosen);
    const found = [...records.values()];
    const rounds = found.filter(({ type }) => type === "round").map(({ body }) => body as RoundRecord);

    expect(summary.rows).toEqual(expected.counts);
    expect(summary.rows.read).toBe(summary.rows.with_records + summary.rows.refused + summary.rows.skipped);
    expect(refused.map(({ location }) => ("line" in location ? location.line : undefined))).toEqual(
      rows.length === 0 ? [undefined] : expected.refusedLines,
    );
    expect(found.flatMap(({ type, id }) => (type === "company" ? [id.slice(3)] : [])).toSorted()).toEqual(
      expected.companies,
    );
    expect(summary.enqueued).toMatchObject({ company: expected.companies.length, round: expected.rounds.length });
    expect(
      rounds
        .map(({ company_id, announced_date, amount_usd, investors }) =>
          shown({
            key: `${company_id.slice(3)} ${announced_date}`,
            amount: amount_usd,
            investors: investors.map(({ investor_id }) => investor_id.slice(4)),
          }),
        )
        .toSorted(),
    ).toEqual(expected.rounds);
  });
  await fc.assert(property, { numRuns: 300 });
});

test("rows that repeat a record give it once; what they contradict, and what 'else' replaced, is counted", async () => {
  const { summary } = await ingest(
    mappingOf({ skip: false, drop_duplicate_rows: false, merge: true, orNull: true }),
    'name,date,amount,kind,investors\nA,2020-01-02,5,,P\nA,2020-01-02,7,,Q\nA,2020-01-02,"1,5",,\n',
  );
  expect(summary).toMatchObject({
    rows: { read: 3, with_records: 3 },
    enqueued: { company: 1, round: 1 },
    differing_values: { "round.amount_usd": 1 },
    unreadable_values: { amount: { count: 1, examples: { "1,5": 1 } } },
  });
});
