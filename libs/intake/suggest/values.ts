import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { Question } from "../mapping/schema.ts";
import { amountValue } from "./amount-value.ts";
import { dateValue } from "./date-value.ts";
import type { Answers } from "./given.ts";
import { escaped, labelCases } from "./labels.ts";
import { listValue } from "./list-value.ts";
import { cityOfPlace, countryOf, countryOfPlace, PLACE, placeOrder } from "./places.ts";
import type { Role } from "./roles.ts";
import { emptyOf, type Note, type Table, type ValuePart } from "./table.ts";

export type Values = { values: Record<string, object>; questions: Question[]; notes: Note[] };

type Rest = { replace?: string[][]; [setting: string]: unknown };

const YEAR_ALONE = ["^(?:.*\\D)?((?:1[89]|20)\\d{2})(?:\\D.*)?$", "$1"];

/** How the values of a row are read, and what the texts leave open. */
export function valuesOf(table: Table, dealTypes: DealTypes, answers: Answers): Values {
  const { chosen, kind, perInvestor, sample } = table;
  const column = (role: Role) => chosen[role]?.column;
  const questions: Question[] = [];
  const notes: Note[] = [];
  const values: Record<string, object> = {};

  const add = (name: string, role: Role, { replace = [], ...rest }: Rest = {}) => {
    const found = column(role);
    if (!found) return;
    const all = [...found.off, ...replace];
    values[name] = {
      column: found.name,
      ...(all.length > 0 ? { replace: all } : {}),
      ...emptyOf(sample, role, found),
      ...rest,
    };
  };
  const take = (name: string, part: ValuePart) => {
    values[name] = part.value;
    questions.push(...part.questions);
    notes.push(...part.notes);
  };
  const addList = (name: string, role: Role) => {
    const found = chosen[role];
    if (found) take(name, listValue(table, [found.column, ...found.more], role, name, answers));
  };
  const slug = { replace: [["^.*/", ""]] };

  add("name", "company");
  add("slug", "company_slug", slug);
  add("country", "country", { as: "country" });
  const city = column("city") ?? column("region");
  const further = column("city") && column("region");
  const order = city && placeOrder(city.texts);
  if (city && order) {
    const empty = emptyOf(sample, "city", city);
    values["city"] = {
      column: city.name,
      when: { column: city.name, fits: PLACE },
      ...empty,
      ...cityOfPlace(city.off, order),
    };
    const isLast = order === "country_last";
    const isCountry = !column("country") && !(isLast && city.texts.every((text) => countryOfPlace(text) === undefined));
    if (isCountry) values["country"] = { column: city.name, ...empty, ...countryOf(city.off, order) };
    const [first, last] = isLast ? ["city", "country"] : ["country", "city"];
    notes.push([
      city.name,
      isCountry || !isLast
        ? `its first part is the ${first}, and its last one the ${last}`
        : "its first part is the city",
    ]);
  } else if (city)
    values["city"] = {
      column: further ? [city.name, further.name] : city.name,
      ...(city.off.length > 0 ? { replace: city.off } : {}),
      ...emptyOf(sample, "city", city),
    };
  add("category", "category");
  add("domain", "domain", {
    replace: [
      ["^https?://", ""],
      ["^www\\.", ""],
      ["/.*$", ""],
    ],
  });
  add("founded_year", "founded_year", { replace: [YEAR_ALONE], as: "number", else: null });
  add("headcount", "headcount", { as: "number", else: null });
  if (kind === "companies") return { values, questions, notes };

  take("date", dateValue(table, column("date")!));
  const source = column("source");
  if (source) add("source", "source", { when: { column: source.name, fits: "https?://\\S+" } });
  if (kind === "acquisitions") add("acquirer", "acquirer");
  if (kind !== "rounds") return { values, questions, notes };

  const type = column("deal_type");
  if (type) {
    const cases = labelCases(type.texts, dealTypes);
    add("deal_type", "deal_type", { ...(cases.length > 0 ? { cases } : {}), as: "label" });
    const unknown = type.texts.filter(
      (text) => dealTypes.find(text) === undefined && !cases.some(([from]) => from === escaped(text)),
    );
    if (unknown.length > 0)
      notes.push([
        type.name,
        `'other' for ${counted(unknown.length, "label")} that match no deal type, such as '${unknown[0]}'`,
      ]);
  }
  const amount = column("amount");
  if (amount) take("amount", amountValue(table, amount, answers));
  if (perInvestor) {
    if (amount) values["amount_text"] = { column: amount.name, default: "undisclosed" };
    add("investor", "investors");
    add("investor_slug", "investor_slug", slug);
  } else addList("investors", "investors");
  addList("leads", "lead");
  add("round_slug", "round_slug", slug);
  return { values, questions, notes };
}
