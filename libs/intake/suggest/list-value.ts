import { anyOf } from "../mapping/condition.ts";
import { ITEM_END } from "../mapping/json-rows.ts";
import { splitAtCommas } from "../mapping/list-items.ts";
import type { Question } from "../mapping/schema.ts";
import type { Answers } from "./given.ts";
import { emptiesOf, saysNothing } from "./empties.ts";
import { escaped } from "./labels.ts";
import type { Column, Role } from "./roles.ts";
import { type Note, rawTexts, type Table, type ValuePart } from "./table.ts";
import { replaced, takenOff } from "./taken-off.ts";

/** How a list of names is read. `name`: of the value. */
export function listValue(
  { sample }: Table,
  columns: readonly [Column, ...Column[]],
  role: Role,
  name: string,
  answers: Answers,
): ValuePart {
  const [found] = columns;
  const raw = columns.flatMap((each) => rawTexts(sample, each.name));
  const off = takenOff(raw);
  const all = raw.map((text) => replaced(text, off)).filter((text) => text !== "" && !saysNothing(text));
  const sentences = sentencesOf(all);
  const isSentence = anyOf(sentences);
  const sentence = all.flatMap((text) => text.replaceAll(ITEM_END, "\n").split("\n")).find(isSentence);
  const texts = all.filter((text) => !isSentence(text));
  const known = separatorOf(texts);
  const unsure = unsureSeparator(texts, known);
  const id = role === "lead" ? "lead_separator" : "list_separator";
  const answer = answers[id];
  const separator = separatorBy(texts, known, answer === "split" ? unsure : undefined);
  const isOpen = unsure !== undefined && answer !== "split" && answer !== "keep";
  // A text is compared before it is split, so that no name of a sentence is left.
  const empty = [...emptiesOf(role, raw), ...(sentence === undefined ? [] : sentences)];
  const marks = MARKS.filter(({ mark }) => separator !== "•" || mark !== BULLET).filter(({ mark }) =>
    texts.some((text) => new RegExp(mark, "iu").test(text)),
  );
  const replace = [...off, ...marks.map(({ mark }) => [mark, ""])];
  return {
    value: {
      column: columns.length === 1 ? found.name : columns.map((each) => each.name),
      ...(replace.length > 0 ? { replace } : {}),
      ...(empty.length > 0 ? { empty } : {}),
      as: "list",
      ...(separator === undefined ? {} : { separator }),
      leave_out: LEFT_OUT,
    },
    questions: isOpen ? [{ id, ...separatorQuestion(unsure, found, texts, name) }] : [],
    notes: [
      ...marks.map(({ shown }): Note => [found.name, `marks such as '${shown}' are taken off the names`]),
      ...(sentence === undefined
        ? []
        : [[found.name, `sentences, such as '${sentence.slice(0, 80)}', name nobody`, true] satisfies Note]),
    ],
  };
}

/** By their keys: others who are not named. */
const LEFT_OUT = [
  "(?:and-)?(?:\\d+-)?(?:others?|more|existing)(?:-investors?)?",
  "et-al",
  "undisclosed.*",
  "bootstrapped|self-funded",
];
const LEAD = "(?:co-?)?lead(?:er|ing)?(?:[- ]?investor)?s?";
const END = "(?= ?(?:[,;|/\\n]|$))";
const MONEY = "(?:[$€£₹¥]|usd|eur|gbp|inr) ?\\d(?:[\\d.,]*\\d)? ?(?:[kmb]|m[mn]|bn|cr|[mb]illion|thousand|lakh|crore)?";
const BULLET = "[•▪◦‣●] *";
/** What is written beside names. Behind the first one: `Blue*`, and in front of them: `Lead: Blue`. */
const MARKS = [
  { mark: ` ?[(\\[](?:${LEAD}|l)[)\\]]`, shown: "(lead)" },
  { mark: " ?\\((?:new|existing|returning)(?: investor)?\\)", shown: "(new)" },
  { mark: ` ?[-–:] ?${LEAD}${END}`, shown: ": lead" },
  { mark: `\\b(?:${LEAD}|(?:other )?(?:investor|participant)s?) ?: *`, shown: "Lead:" },
  { mark: `(?<!\\*)\\*+${END}|(?<=^|[,;|/\\n] ?)\\*+`, shown: "*" },
  { mark: ` ?\\((?:${MONEY}|\\d[\\d.,]* ?%)\\)`, shown: "($1m)" },
  { mark: ` ?[-–:] ?${MONEY}${END}`, shown: ": $1m" },
  { mark: " ?<[^<>@]*@[^<>@]*>", shown: "<a@b.example>" },
  { mark: BULLET, shown: "•" },
];
/** The expressions of sentences: of a whole text, and where JSON has items apart of one item. */
function sentencesOf(texts: readonly string[]): string[] {
  const [any, end] = texts.some((text) => text.includes(ITEM_END)) ? ["[^\\x1f]*", "\\x1f"] : [".*", "\\n"];
  // Without the first condition a text with many such words before its end would take quadratic time.
  return [`(?:co-?)?led by ${any}`, `(?![^]*${end})${any}\\bparticipation (?:from|of|by) ${any}`];
}

/** The expression of a mapping; undefined for commas alone. Numbers or a further mark separate beside the known one, or beside commas. */
function separatorBy(texts: readonly string[], known: string | undefined, further?: string): string | undefined {
  const numbers = areNumbered(texts) ? [NUMBER] : [];
  const marks = [known, further].filter((mark) => mark !== undefined);
  if (numbers.length + marks.length > 0 && known === undefined && hasCommas(texts)) marks.push(",");
  const written = [
    ...numbers,
    ...marks.map((mark) => (mark === "," ? COMMA : mark === "\n" ? LINE_END : escaped(mark))),
  ];
  return written.length === 0 ? undefined : written.join("|");
}

const LINE_END = ",?(?:\\n|$)";

/** `1. Blue 2. Red`, `(1) Blue, (2) Red` */
const NUMBER = "(?:^|[\\s,;])\\(?\\d{1,2}[.)] ?(?=[\\p{L}\\p{N}])";
export const areNumbered = (texts: readonly string[]): boolean =>
  texts.some((text) => /^\(?1[.)] ?[\p{L}\p{N}][^]*[\s,;]\(?2[.)] ?[\p{L}\p{N}]/u.test(text));

/** A comma that is not before the legal form of a company. */
const COMMA = ",(?! ?(?:inc|ltd|llc|llp|l\\.?p|co|corp|gmbh|plc)\\b)";

function separatorQuestion(mark: string, found: Column, texts: readonly string[], name: string): Omit<Question, "id"> {
  const example = texts.find((text) => text.includes(mark) && (mark !== "," || splitAtCommas(text).length > 1));
  return {
    column: found.name,
    question: `Does '${mark.trim()}' separate names, as in '${example}'?`,
    answers: { split: "it separates names", keep: "it is part of a name" },
    place: `values.${name}.separator`,
  };
}

/** Marks that no name has, so that one text with them is enough, and others that separate where several texts have them. */
const SURE_SEPARATORS = [";", "；", "|", "\n", "、", "，"];
const SEPARATORS = [" / ", "•", " · ", " + "];
const UNSURE_SEPARATORS = ["/", " and ", " & ", " und ", " et ", " y ", " e ", " och ", " og ", " и ", "+", " - "];
/** Words before the last of several names. */
const LAST_ONE = [" and ", " und ", " et ", " y ", " e ", " och ", " og ", " и "];
const SEPARATES_FROM = 0.05;

const isOften = (mark: string, texts: readonly string[]) =>
  texts.filter((text) => text.trim().includes(mark)).length > SEPARATES_FROM * texts.length;
const hasCommas = (texts: readonly string[]) => isOften(",", texts);

/** The separator of items in lists; undefined for commas, and where JSON has them apart. */
export function separatorOf(texts: readonly string[]): string | undefined {
  if (texts.some((text) => text.includes(ITEM_END))) return undefined;
  const bare = texts.map((text) => text.trim().replace(/&(?:#\d{1,6}|[a-z]{2,8});/gi, ""));
  const count = (mark: string) => bare.filter((text) => text.includes(mark)).length;
  const [most] = SURE_SEPARATORS.toSorted((a, b) => count(b) - count(a));
  return count(most!) > 0 ? most : SEPARATORS.find((mark) => isOften(mark, texts));
}

/** A mark that separates names in some files and is part of them in others. `known`: another one, which separates. */
function unsureSeparator(texts: readonly string[], known: string | undefined): string | undefined {
  if (texts.some((text) => text.includes(ITEM_END))) return undefined;
  if (known !== undefined) return areCommasUnsure(texts, known) ? "," : undefined;
  if (!hasCommas(texts)) return UNSURE_SEPARATORS.find((each) => isOften(each, texts));
  const lastItems = texts
    .map((text) => text.slice(text.lastIndexOf(",") + 1))
    .filter((_, n) => texts[n]!.includes(","));
  return LAST_ONE.find(
    (each) => lastItems.filter((item) => item.trim().includes(each)).length > SEPARATES_FROM * texts.length,
  );
}

/** Names may have commas beside another separator, but few do, and hardly one that stands alone. */
function areCommasUnsure(texts: readonly string[], known: string): boolean {
  const listed = texts.filter((text) => text.includes(known));
  const both = listed.filter((text) =>
    text.split(known).some((item) => splitAtCommas(item.replace(/,\s*$/, "")).length > 1),
  );
  const alone = texts.filter((text) => !text.includes(known) && splitAtCommas(text).length > 1);
  return alone.length > 0 || both.length > listed.length / 2;
}
