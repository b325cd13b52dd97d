import { ITEM_END } from "../mapping/json-rows.ts";
import type { Question } from "../mapping/schema.ts";
import type { Answers } from "./given.ts";
import { escaped } from "./labels.ts";
import type { Column, Role } from "./roles.ts";
import { emptyOf, rawTexts, type Table, type ValuePart } from "./table.ts";

/** How a list of names is read. `name`: of the value. */
export function listValue({ sample }: Table, found: Column, role: Role, name: string, answers: Answers): ValuePart {
  const texts = rawTexts(sample, found.name);
  const known = separatorOf(texts);
  const unsure = known === undefined ? unsureSeparator(texts) : undefined;
  const answer = answers["list_separator"];
  const separator = known ?? (answer === "split" ? unsure : undefined);
  const isOpen = unsure !== undefined && answer !== "split" && answer !== "keep";
  return {
    value: {
      column: found.name,
      ...emptyOf(sample, role, found),
      as: "list",
      ...(separator === undefined ? {} : { separator: escaped(separator) }),
      leave_out: ["others?", "undisclosed.*"],
    },
    questions: isOpen ? [separatorQuestion(unsure, found, texts, name)] : [],
    notes: [],
  };
}

function separatorQuestion(mark: string, found: Column, texts: readonly string[], name: string): Question {
  return {
    id: "list_separator",
    column: found.name,
    question: `Does '${mark.trim()}' separate names, as in '${texts.find((text) => text.includes(mark))}'?`,
    answers: { split: "it separates names", keep: "it is part of a name" },
    place: `values.${name}.separator`,
  };
}

/** Marks that no name has, so that one text with them is enough, and others that separate where several texts have them. */
const SURE_SEPARATORS = [";", "；", "|", "\n", "、", "，"];
const SEPARATORS = [" / ", "•", " + "];
const UNSURE_SEPARATORS = ["/", " and ", " & ", " und ", " et ", "+", " - "];
const SEPARATES_FROM = 0.05;

const isOften = (mark: string, texts: readonly string[]) =>
  texts.filter((text) => text.trim().includes(mark)).length > SEPARATES_FROM * texts.length;

/** The separator of items in lists; undefined for commas, and where JSON has them apart. */
export function separatorOf(texts: readonly string[]): string | undefined {
  if (texts.some((text) => text.includes(ITEM_END))) return undefined;
  const count = (mark: string) => texts.filter((text) => text.trim().includes(mark)).length;
  const [most] = SURE_SEPARATORS.toSorted((a, b) => count(b) - count(a));
  return count(most!) > 0 ? most : SEPARATORS.find((mark) => isOften(mark, texts));
}

/** A mark that separates names in some files and is part of them in others. */
function unsureSeparator(texts: readonly string[]): string | undefined {
  if (texts.some((text) => text.includes(ITEM_END)) || isOften(",", texts)) return undefined;
  return UNSURE_SEPARATORS.find((each) => isOften(each, texts));
}
