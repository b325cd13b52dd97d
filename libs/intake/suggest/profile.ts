import { type ParsedRecord, parseRecord, type RecordProblem } from "@tranche/shared/domain/records/parse";
import { shownProblem } from "@tranche/shared/domain/records/shown-problem";
import { counted, shownNumber } from "@tranche/shared/domain/text/numbers";
import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import type { SourceItem, SourceLocation } from "../sources/item.ts";
import { mappedReader } from "../sources/mapped.ts";
import { readSource } from "../sources/source.ts";
import type { Beginning } from "./beginning.ts";

/** A row as it will be listed (day, company, country, type, amount and investors), or why it is refused. */
export type Entry = { at: SourceLocation } & ({ listed: string[] } | { refused: string });

/** The records that a mapping makes of the beginning of a file, read as an ingest reads it. */
export type Profile = {
  rows: number;
  good: number;
  /** In the order of the file. */
  entries: Entry[];
  /** Smallest and largest values, and the most frequent ones. */
  lines: string[];
};

const SHOWN_VALUES = 5;

type Fields = Record<string, unknown>;
type Body = { key: string; type: string; fields: Fields };
type Records = ReadonlyMap<string, Body>;

/** `mapping`: undefined for a file of records. */
export async function profileOf(
  { bytes, isWhole }: Beginning,
  mapping: Mapping | undefined,
  vocabulary: Vocabulary,
): Promise<Profile> {
  const records = new Map<string, Body>();
  const rows: { at: SourceLocation; first: Body[]; refused: string | undefined }[] = [];
  let [read, good] = [0, 0];
  const chunks = (async function* () {
    yield bytes;
  })();
  const reader = mapping && mappedReader(mapping, vocabulary);
  for await (const item of readSource({ bytes: chunks }, undefined, reader)) {
    // What is cut off here is not cut off in the file.
    if (!item.ok && !isWhole && Object.keys(item.location).length === 0) continue;
    const { parsed, problems } = recordsOf(item, vocabulary);
    const first: Body[] = [];
    read++;
    if (problems.length === 0 && item.ok && !item.skipped) good++;
    if (problems.length === 0)
      for (const record of parsed) {
        const body = bodyOf(record);
        if (!records.has(body.key)) first.push(body);
        records.set(body.key, body);
      }
    const [problem] = problems;
    const refused = problem && shownProblem(problem);
    rows.push({ at: item.location, first, refused });
  }
  const all = [...records.values()];
  const listedType = ["round", "signal"].find((type) => all.some((record) => record.type === type)) ?? "company";
  return {
    rows: read,
    good,
    entries: rows.flatMap(({ at, first, refused }): Entry[] =>
      refused === undefined
        ? first
            .filter(({ type }) => type === listedType)
            .map(({ key }) => ({ at, listed: listed(records.get(key)!, records) }))
        : [{ at, refused }],
    ),
    lines: linesOf(records),
  };
}

function recordsOf(item: SourceItem, vocabulary: Vocabulary): { parsed: ParsedRecord[]; problems: RecordProblem[] } {
  if (!item.ok) return { parsed: [], problems: item.problems };
  const outcomes = [...item.values, ...(item.filled ?? [])].map((value) => parseRecord(value, vocabulary));
  return {
    parsed: outcomes.flatMap((outcome) => (outcome.ok ? [outcome.record] : [])),
    problems: outcomes.flatMap((outcome) => (outcome.ok ? [] : outcome.problems)),
  };
}

const bodyOf = ({ type, id, body, merge }: ParsedRecord): Body => ({
  key: `${type} ${id}`,
  type,
  fields: body ?? merge ?? {},
});

function listed({ type, fields }: Body, records: Records): string[] {
  if (type === "company") return ["", text(fields["name"]), text(fields["country"]), "", "", ""];
  const company = records.get(`company ${String(fields["company_id"])}`)?.fields ?? {};
  const of = [text(company["name"]) || text(fields["company_id"]), text(company["country"])];
  if (type === "signal") return [text(fields["detected_at"]), ...of, text(fields["key"]), "", ""];
  return [
    text(fields["announced_date"]),
    ...of,
    text(fields["deal_type"]),
    amountText(fields["amount_usd"]),
    investorsOf(fields, records).join(", "),
  ];
}

function linesOf(records: Records): string[] {
  const of = (type: string) => [...records.values()].filter((each) => each.type === type).map(({ fields }) => fields);
  const [rounds, signals] = [of("round"), of("signal")];
  const days = [
    ...rounds.map((round) => text(round["announced_date"])),
    ...signals.map((signal) => text(signal["detected_at"])),
  ].toSorted();
  const amounts = rounds
    .flatMap((round) => (typeof round["amount_usd"] === "number" ? [round["amount_usd"]] : []))
    .toSorted((a, b) => a - b);
  return [
    days.length > 0 && `Days: ${days[0]} to ${days.at(-1)}`,
    rounds.length > 0 &&
      (amounts.length > 0
        ? `Amounts: ${amountText(amounts[0])} to ${amountText(amounts.at(-1))}${amounts.length < rounds.length ? `; undisclosed in ${counted(rounds.length - amounts.length, "round")}` : ""}`
        : "Amounts: all undisclosed"),
    frequent(
      "Countries",
      of("company").map((fields) => text(fields["country"]) || "none"),
    ),
    frequent(
      "Types",
      rounds.map((round) => text(round["deal_type"])),
    ),
    frequent(
      "Signals",
      signals.map((signal) => text(signal["key"])),
    ),
    frequent(
      "Investors",
      rounds.flatMap((round) => investorsOf(round, records)),
    ),
  ].filter((line) => typeof line === "string");
}

function investorsOf(fields: Fields, records: Records): string[] {
  const named = (fields["investors"] ?? []) as { investor_id: string }[];
  return named.map(({ investor_id: id }) => text(records.get(`investor ${id}`)?.fields["name"]) || id);
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
