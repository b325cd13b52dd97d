import { SourceError } from "../sources/item.ts";
import type { Round, RoundColumns } from "./round-columns.ts";

type Made = { values: Record<string, object>; records: readonly object[] };

/** Values and records for each of the rounds, from those for the columns that stand for all of them. Throws a SourceError. */
export function forEachRound({ rounds, standsFor }: RoundColumns, { values, records }: Made): Made {
  const facts = new Set(standsFor.values());
  const isOfRound = (value: object) => columnsIn(value).some((column) => facts.has(column));
  const own = new Set(Object.keys(values).filter((name) => isOfRound(values[name]!)));
  const nameIn = (round: Round, name: string) =>
    `${name}_${/^[a-z\d-]+$/.test(round.label) ? round.label.replaceAll("-", "_") : rounds.indexOf(round) + 1}`;
  const isRound = (record: object) => (record as RecordPart).type === "round";
  const isOwn = (record: object) => isRound(record) || namesIn(record).some((name) => own.has(name));

  const valuesOf = (round: Round) =>
    [...own].flatMap((name): [string, object][] => {
      const [main, ...others] = columnsIn(values[name]!).filter((column) => facts.has(column));
      if (!round.columns.has(main!)) return [];
      const missing = others.find((column) => !round.columns.has(column));
      if (missing !== undefined)
        throw new SourceError(
          `has '${round.columns.get(main!)}', but no column like '${missing}' for the same round: add one, or use one row per round`,
        );
      return [[nameIn(round, name), withColumns(values[name]!, round.columns)]];
    });
  /** A value that no record has: what a round without a date says is counted as a text that can't be read. */
  const undatedOf = (round: Round): [string, object][] => {
    const [day] = "date" in values ? columnsIn(values["date"]) : [];
    const said = SAYING.flatMap((name) => (name in values ? [values[name] as ValuePart] : []));
    const columns = said.map(({ column }) => [column].flat()[0]!).filter((column) => round.columns.has(column));
    if (day === undefined || !round.columns.has(day) || columns.length === 0) return [];
    const { empty = [] } = values["date"] as ValuePart;
    const value = {
      column: columns,
      when: { column: day, fits: ["", ...empty].join("|") },
      empty: [...new Set(said.flatMap((each) => each.empty ?? []))],
      as: "date",
      else: null,
    };
    return [[nameIn(round, "undated"), withColumns(value, round.columns)]];
  };
  const recordsOf = (round: Round, known: ReadonlySet<string>) =>
    records.filter(isOwn).flatMap((record) => {
      const has = (name: string) => !own.has(name) || known.has(nameIn(round, name));
      const { fields, for_each: list, when, ...rest } = record as RecordPart;
      if (list !== undefined && !has(list)) return [];
      const kept = Object.entries(fields).filter(([, template]) => namesIn({ fields: [template] }).every(has));
      const renamed = JSON.parse(
        JSON.stringify(Object.fromEntries(kept)).replace(PLACEHOLDER, (text, name: string, key = "") =>
          own.has(name) ? `{${nameIn(round, name)}${key}}` : text,
        ),
        (key, value: unknown) =>
          key === "for_each" && own.has(value as string) ? nameIn(round, value as string) : value,
      ) as object;
      return [
        {
          ...rest,
          ...(list === undefined ? {} : { for_each: own.has(list) ? nameIn(round, list) : list }),
          ...(when === undefined ? {} : { when: withColumns(when, round.columns) }),
          fields: {
            ...renamed,
            ...(rest.type === "round" && round.type !== undefined && !("deal_type" in fields)
              ? { deal_type: round.type }
              : {}),
            ...(rest.type === "round" && !("amount_usd" in renamed) ? { amount_usd: null } : {}),
          },
        },
      ];
    });

  const hasRounds = records.some(isRound);
  const perRound = rounds.map((round) => ({
    round,
    values: [...valuesOf(round), ...(hasRounds ? undatedOf(round) : [])],
  }));
  const made = perRound.flatMap(({ round, values: of }) => recordsOf(round, new Set(of.map(([name]) => name))));
  const shared = records.filter((record) => !isOwn(record));
  return {
    values: {
      ...Object.fromEntries(Object.entries(values).filter(([name]) => !own.has(name))),
      ...Object.fromEntries(perRound.flatMap((each) => each.values)),
    },
    records: [...shared, ...made.filter((record) => !isRound(record)), ...made.filter(isRound)],
  };
}

/** Values that say that there was a round. */
const SAYING = ["amount", "investors", "leads"];

type ValuePart = { column: string | string[]; empty?: string[] };
type RecordPart = { type: string; for_each?: string; when?: object; fields: Record<string, unknown> };

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)(:key)?\}/g;

/** The values that a record names. */
function namesIn(part: object): string[] {
  const text = JSON.stringify(part);
  return [
    ...[...text.matchAll(PLACEHOLDER)].map(([, name]) => name!),
    ...[...text.matchAll(/"for_each":"([a-z0-9_]+)"/g)].map(([, name]) => name!),
  ];
}

/** The columns that a value names, its own ones first. */
function columnsIn(value: object): string[] {
  const found: string[] = [];
  JSON.stringify(value, (key, each: unknown) => {
    if (key === "column") found.push(...([each].flat() as string[]));
    return each;
  });
  return found;
}

const withColumns = <T extends object>(part: T, columns: ReadonlyMap<string, string>): T =>
  JSON.parse(JSON.stringify(part), (key, each: unknown) =>
    key !== "column"
      ? each
      : Array.isArray(each)
        ? each.map((column: string) => columns.get(column) ?? column)
        : (columns.get(each as string) ?? each),
  ) as T;
