import { type ParsedRecord, parseRecord } from "@tranche/shared/domain/records/parse";
import type { Mapping } from "@tranche/intake/mapping/schema";
import { createRowMapper, type Vocabulary } from "@tranche/intake/mapping/rows";
import type { Row } from "@tranche/intake/mapping/condition";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";

/** The rounds that a mapping makes of some rows, as they will be listed. */
export type Profile = {
  rows: number;
  good: number;
  refused: { row: number; reason: string }[];
  /** The first rows: day, company, country, type, amount and investors. */
  first: string[][];
  /** Smallest and largest values, and the most frequent ones. */
  lines: string[];
};

const SHOWN_ROWS = 10;
const SHOWN_REFUSALS = 5;
const SHOWN_VALUES = 5;

type Fields = Record<string, unknown>;
type Body = { id: string; type: string; fields: Fields };

export function profileOf(rows: readonly Row[], mapping: Mapping, vocabulary: Vocabulary): Profile {
  const mapRow = createRowMapper(mapping, vocabulary);
  const records = new Map<string, Body>();
  const refused: Profile["refused"] = [];
  let good = 0;
  for (const [index, row] of rows.entries()) {
    const mapped = mapRow(row);
    if (mapped.kind === "refused") {
      const [problem] = mapped.problems;
      refused.push({ row: index + 1, reason: `${problem!.field}: ${problem!.reason}` });
    }
    if (mapped.kind !== "records") continue;
    good++;
    for (const record of [...mapped.values, ...mapped.filled]) {
      const outcome = parseRecord(record, vocabulary);
      if (outcome.ok) records.set(`${outcome.record.type} ${outcome.record.id}`, bodyOf(outcome.record));
    }
  }
  const all = [...records.values()];
  const of = (type: string) => all.filter((record) => record.type === type);
  return {
    rows: rows.length,
    good,
    refused: refused.slice(0, SHOWN_REFUSALS),
    first: firstRows(records, of),
    lines: linesOf(records, of),
  };
}

const bodyOf = ({ type, id, body }: ParsedRecord): Body => ({ type, id, fields: body ?? {} });

type Of = (type: string) => Body[];

function firstRows(records: ReadonlyMap<string, Body>, of: Of): string[][] {
  const rounds = of("round").slice(0, SHOWN_ROWS);
  if (rounds.length > 0)
    return rounds.map(({ fields }) => {
      const company = records.get(`company ${String(fields["company_id"])}`)?.fields ?? {};
      return [
        text(fields["announced_date"]),
        text(company["name"]),
        text(company["country"]),
        text(fields["deal_type"]),
        amountText(fields["amount_usd"]),
        investorsOf(fields, records).join(", "),
      ];
    });
  const signals = of("signal").slice(0, SHOWN_ROWS);
  if (signals.length > 0)
    return signals.map(({ fields }) => {
      const company = records.get(`company ${String(fields["company_id"])}`)?.fields ?? {};
      return [
        text(fields["detected_at"]),
        text(company["name"]),
        text(company["country"]),
        text(fields["key"]),
        "",
        "",
      ];
    });
  return of("company")
    .slice(0, SHOWN_ROWS)
    .map(({ fields }) => ["", text(fields["name"]), text(fields["country"]), "", "", ""]);
}

function linesOf(records: ReadonlyMap<string, Body>, of: Of): string[] {
  const rounds = of("round").map(({ fields }) => fields);
  const signals = of("signal").map(({ fields }) => fields);
  const days = [
    ...rounds.map((round) => text(round["announced_date"])),
    ...signals.map((signal) => text(signal["detected_at"])),
  ].toSorted();
  const amounts = rounds
    .flatMap((round) => (typeof round["amount_usd"] === "number" ? [round["amount_usd"]] : []))
    .toSorted((a, b) => a - b);
  const investors = rounds.flatMap((round) => investorsOf(round, records));
  return [
    days.length > 0 && `Days: ${days[0]} to ${days.at(-1)}`,
    rounds.length > 0 &&
      (amounts.length > 0
        ? `Amounts: ${amountText(amounts[0])} to ${amountText(amounts.at(-1))}${amounts.length < rounds.length ? `; undisclosed in ${counted(rounds.length - amounts.length, "round")}` : ""}`
        : "Amounts: all undisclosed"),
    frequent(
      "Countries",
      of("company").map(({ fields }) => text(fields["country"]) || "none"),
    ),
    frequent(
      "Types",
      rounds.map((round) => text(round["deal_type"])),
    ),
    frequent(
      "Signals",
      signals.map((signal) => text(signal["key"])),
    ),
    frequent("Investors", investors),
  ].filter((line) => typeof line === "string");
}

function investorsOf(fields: Fields, records: ReadonlyMap<string, Body>): string[] {
  const listed = (fields["investors"] ?? []) as { investor_id: string }[];
  return listed.map(({ investor_id: id }) => text(records.get(`investor ${id}`)?.fields["name"]) || id);
}

function frequent(name: string, values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const shown = [...counts].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN_VALUES);
  return shown.length === 0
    ? undefined
    : `${name}: ${shown.map(([value, count]) => `${value} ${shownNumber(count)}`).join(", ")}`;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const amountText = (value: unknown): string => (typeof value === "number" ? value.toLocaleString("en") : "");
