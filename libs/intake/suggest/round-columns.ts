import { quoted } from "@tranche/shared/domain/text/quoted";
import { keyOf } from "@tranche/shared/domain/text/key";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Row } from "../mapping/condition.ts";
import { SourceError } from "../sources/item.ts";
import { datesOf } from "./dates.ts";
import { DATE_NAMES, DATE_TRAPS } from "./date-columns.ts";
import { saysNothing } from "./empties.ts";
import type { Answers } from "./given.ts";
import { knownLabel } from "./labels.ts";
import type { Sample } from "./sample.ts";
import { rawTexts } from "./table.ts";

/** Rounds that have columns of their own in one row, such as `Seed Date` and `Series A Date`. */
export type RoundColumns = {
  /** A row for each round, in which the columns of the first round that has them stand for those of all. */
  sample: Sample;
  /** The column that stands for one of them. */
  standsFor: ReadonlyMap<string, string>;
  /** Texts without a date beside them, which make no round. */
  undated: number;
  /** Columns with the facts of a round that has no column of dates, or that no name tells. */
  left: readonly string[];
  rounds: readonly Round[];
};

/** `columns`: by the one that stands for them. */
export type Round = { label: string; type: string | undefined; columns: ReadonlyMap<string, string> };

/** The round of a column, and what else its name says: `Seed` and `Amount ($m)`. */
type Part = { label: string; type: string | undefined; rest: string };
type Named = Part & { name: string };

const OTHER_TYPES = new Set(["undisclosed", "other"]);
const DATES_FROM = 0.6;
const MOST_WORDS = 4;
const AMOUNTS = /amount|raise|size|betrag|summe|montant|monto|importe|valor/;

/**
 * The columns of several rounds in one row; undefined where not at least two of them have a date. Throws a SourceError where the dates or
 * the amounts of the rounds are named in different ways.
 */
export function roundColumnsIn(sample: Sample, dealTypes: DealTypes, today: string): RoundColumns | undefined {
  if (sample.path !== undefined) return undefined;
  const typed = (name: string) => typedPart(name, dealTypes);
  let unlike: readonly Named[] | undefined;
  for (const partOf of [(name: string) => typed(name) ?? letterPart(name), typed, numberedPart]) {
    const named = sample.columns.flatMap((name): Named[] => {
      const part = partOf(name);
      return part ? [{ name, ...part }] : [];
    });
    const facts = [...Map.groupBy(named, ({ rest }) => keyOf(rest))];
    const dates = facts.filter(([rest, of]) => of.length > 1 && hasDates(rest, of));
    // Several days may belong to one round, but not several amounts.
    const isOne = partOf !== typed && !facts.some(([rest, of]) => of.length > 1 && AMOUNTS.test(rest));
    const amounts = named.filter(({ rest }) => AMOUNTS.test(keyOf(rest)));
    if (new Set(amounts.map(({ label }) => label)).size > 1 && !hasOtherDates(named))
      unlike ??= unlikeIn(named.filter((each) => hasDates(keyOf(each.rest), [each])));
    if (dates.length === 0 || isOne) continue;
    const labels = new Set(dates.flatMap(([, of]) => of.map(({ label }) => label)));
    unlike ??= unlikeIn(amounts.filter(({ label }) => labels.has(label)));
    if (unlike) break;
    return apart(
      sample,
      named.filter(({ label }) => labels.has(label)),
      dates.map(([rest]) => rest),
      named.filter(({ label }) => !labels.has(label)),
    );
  }
  if (unlike)
    throw new SourceError(
      `has rounds side by side whose columns have different names (${quoted(unlike.map(({ name }) => name))}): name those of all rounds alike, as in 'Seed Date', 'Series A Date', or use one row per round`,
    );
  return undefined;

  /** Whether a row has a day that belongs to none of the rounds. */
  function hasOtherDates(named: readonly Named[]): boolean {
    const names = new Set(named.map(({ name }) => name));
    return sample.columns.some(
      (name) =>
        !names.has(name) && !DATE_TRAPS.some(([trap]) => trap.test(keyOf(name))) && hasDates(keyOf(name), [{ name }]),
    );
  }

  function hasDates(rest: string, of: readonly Pick<Named, "name">[]): boolean {
    if (!DATE_NAMES.some((name) => name.test(rest))) return false;
    const texts = of.flatMap(({ name }) => textsOf(sample, name));
    return texts.length > 0 && datesOf(texts, of[0]!.name, today).share >= DATES_FROM;
  }
}

const textsOf = (sample: Sample, column: string): string[] =>
  rawTexts(sample, column).filter((text) => !saysNothing(text));

function typedPart(name: string, dealTypes: DealTypes): Part | undefined {
  const spaced = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2");
  const words = [...spaced.matchAll(/[\p{L}\d+]+/gu)];
  for (let length = Math.min(MOST_WORDS, words.length - 1); length > 0; length--)
    for (let at = 0; at + length <= words.length; at++) {
      const found = words.slice(at, at + length);
      const label = found.map(([word]) => word).join(" ");
      const type = dealTypes.find(label) ?? (label.length > 2 ? knownLabel(label) : undefined);
      if (type === undefined || OTHER_TYPES.has(type) || /funding$/i.test(label)) continue;
      return {
        label: keyOf(label.replaceAll("+", " plus")).replace(/-round$/, ""),
        type,
        rest: without(spaced, found),
      };
    }
  return undefined;
}

/** The name of a column without some of its words. */
function without(name: string, words: readonly RegExpExecArray[]): string {
  const last = words.at(-1)!;
  return `${name.slice(0, words[0]!.index)} ${name.slice(last.index + last[0].length)}`
    .replace(/[()[\]]{2}/g, "")
    .trim();
}

/** `A Date`, beside `B Date`. */
function letterPart(name: string): Part | undefined {
  const found = /^([A-J])[ _.-]+(?=\p{L}{2})/u.exec(name);
  return found
    ? { label: `series-${found[1]!.toLowerCase()}`, type: knownLabel(found[1]!), rest: name.slice(found[0].length) }
    : undefined;
}

/** The columns of the rounds, one of each, where none of their names is that of all rounds. */
function unlikeIn(columns: readonly Named[]): Named[] | undefined {
  const rounds = [...Map.groupBy(columns, ({ label }) => label).values()];
  const [first = [], ...others] = rounds;
  const isOfAll = ({ rest }: Named) => others.every((of) => of.some((each) => keyOf(each.rest) === keyOf(rest)));
  return others.length === 0 || first.some(isOfAll) ? undefined : rounds.map(([one]) => one!);
}

/** `Round 1 Date` and `Date 1`. */
function numberedPart(name: string): Part | undefined {
  const found = /(?<![\p{L}\d])(?:round|tour|runde|ronda|raise|deal)?[ _-]{0,3}(\d)(?!\d)/iu.exec(name);
  if (!found || /\d/.test(name.replace(found[0], ""))) return undefined;
  const rest = name.replace(found[0], " ").trim();
  return rest === "" ? undefined : { label: found[1]!, type: undefined, rest };
}

/** `dateless`: columns of rounds that have no date. */
function apart(
  sample: Sample,
  named: readonly Named[],
  dates: readonly string[],
  dateless: readonly Named[],
): RoundColumns {
  const first = new Map<string, string>();
  for (const { name, rest } of named) if (!first.has(keyOf(rest))) first.set(keyOf(rest), name);
  const standsFor = new Map(named.map(({ name, rest }) => [name, first.get(keyOf(rest))!]));
  const rounds = [...Map.groupBy(named, ({ label }) => label)].map(([label, of]): Round => {
    const columns = new Map(of.map(({ name }) => [standsFor.get(name)!, name]));
    return { label, type: of[0]!.type, columns };
  });
  const facts = new Set(standsFor.values());
  const around = sample.columns.filter((name) => !standsFor.has(name));
  const left = [...around.map((name) => ({ name, rest: name })), ...dateless].filter(
    ({ name, rest }) => first.has(keyOf(rest)) && textsOf(sample, name).length > 0,
  );
  const columns = sample.columns.filter((name) => facts.has(name) || around.includes(name));
  const ofDates = dates.map((rest) => first.get(rest)!);
  const says = (text: string | undefined) => text !== undefined && text.trim() !== "" && !saysNothing(text.trim());
  let undated = 0;
  const rows = sample.rows.flatMap((row) => {
    const all = rounds.map((round): Row => ({
      ...Object.fromEntries(around.map((name) => [name, row[name]!])),
      ...Object.fromEntries([...facts].map((fact) => [fact, textIn(row, round.columns.get(fact))])),
    }));
    const dated = all.filter((each) => ofDates.some((name) => each[name]!.trim() !== ""));
    const isDated = (each: Row) => ofDates.some((name) => says(each[name]));
    undated += all.filter((each) => !isDated(each) && [...facts].some((fact) => says(each[fact]))).length;
    // A company without a round is one all the same.
    return dated.length > 0 ? dated : all.slice(0, 1);
  });
  return {
    sample: { ...sample, columns, rows, events: facts },
    standsFor,
    undated,
    left: left.map(({ name }) => name),
    rounds,
  };
}

const textIn = (row: Row, column: string | undefined) => (column === undefined ? "" : row[column]!);

/** Answers that name a column of a later round mean the one that stands for it. */
export const answersFor = ({ standsFor }: RoundColumns, answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).map(([id, answer]) => [id, standsFor.get(answer) ?? answer]));

/** Sentences about the rows. */
export function notesOfRounds({ rounds, undated, left }: RoundColumns): string[] {
  const labels = rounds.map(({ label, type }) => (type === undefined ? `round ${label}` : `'${label}'`));
  return [
    `Each row holds ${counted(rounds.length, "round")} (${labels.join(", ")}). Those with a date are read.`,
    ...(undated > 0 ? [`${counted(undated, "round")} without a date in the first rows: left out.`] : []),
    ...(left.length > 0 ? [`${quoted(left)}: of no round that has a column of dates, so not read.`] : []),
  ];
}
