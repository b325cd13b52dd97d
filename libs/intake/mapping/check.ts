import { closestField } from "@tranche/shared/domain/records/fields";
import { RECORD_FIELDS, REQUIRED_FIELDS } from "@tranche/shared/domain/records/schemas";
import { currencyOf, unknownCurrency } from "./currency.ts";
import { dateFormatProblem } from "./date.ts";
import { LIST_FIELDS } from "./fields.ts";
import type { Mapping, RecordRule, ValueRule } from "./schema.ts";
import { placeholdersOf } from "./template.ts";

type MappingProblem = { path: (string | number)[]; message: string };

/** Settings of values that only one way of reading takes. */
const SETTINGS_OF = {
  formats: ["date"],
  decimal: ["amount", "number"],
  decimals: ["amount"],
  factor: ["amount"],
  currency: ["amount"],
  separator: ["list"],
  leave_out: ["list"],
} as const;

/** Fields of the envelope that are not fields of a mapping's record: they are beside `fields`. */
const BESIDE = ["type", "op"];

/** Fields that take numbers, and how their values are read. */
const NUMBERS: ReadonlyMap<string, string> = new Map([
  ["amount_usd", "amount"],
  ["headcount", "number"],
  ["founded_year", "number"],
  ["strength", "number"],
  ["version", "number"],
]);

/** Problems that are known before a row is read. */
export function mappingProblems(mapping: Mapping): MappingProblem[] {
  return [
    ...fileProblems(mapping),
    ...Object.entries(mapping.values).flatMap(([name, rule]) =>
      valueProblems(rule, mapping).map(({ path, message }) => ({ path: ["values", name, ...path], message })),
    ),
    ...mapping.records.flatMap((rule, index) =>
      recordProblems(rule, mapping).map(({ path, message }) => ({ path: ["records", index, ...path], message })),
    ),
  ];
}

function fileProblems({ format, for_each, delimiter, quote, escape, columns = [] }: Mapping): MappingProblem[] {
  const problems: MappingProblem[] = [];
  if (format === "csv" && for_each !== undefined)
    problems.push({ path: ["for_each"], message: 'is for "format": "json"' });
  if ([quote, escape].some((each) => each != null && delimiter.includes(each)))
    problems.push({ path: ["delimiter"], message: "must not hold the quote or escape character" });
  if (new Set(columns).size !== columns.length)
    problems.push({ path: ["columns"], message: "two columns have the same name" });
  return problems;
}

function valueProblems(rule: ValueRule, mapping: Mapping): MappingProblem[] {
  const problems: MappingProblem[] = [];
  for (const [setting, kinds] of Object.entries(SETTINGS_OF)) {
    if (rule[setting as keyof typeof SETTINGS_OF] === undefined || (kinds as readonly string[]).includes(rule.as))
      continue;
    problems.push({ path: [setting], message: `is for "as": "${kinds.join('" or "')}", not "${rule.as}"` });
  }
  if (rule.join !== undefined && rule.as === "list")
    problems.push({ path: ["join"], message: "a list takes the items of all columns: leave 'join' out" });
  for (const setting of ["else", "default"] as const)
    if (rule.as === "list" && rule[setting] !== undefined)
      problems.push({ path: [setting], message: `a list has no ${setting}: without items it is empty` });
  for (const [index, format] of (rule.formats ?? []).entries()) {
    const problem = dateFormatProblem(format);
    if (problem !== undefined) problems.push({ path: ["formats", index], message: problem });
  }
  const { is, rates = {}, year } = rule.currency ?? {};
  for (const mark of [...(is === undefined ? [] : [is]), ...Object.keys(rates)])
    if (currencyOf(mark) === undefined) problems.push({ path: ["currency"], message: unknownCurrency(mark) });
  const isByYear = Object.values(rates).some((rate) => typeof rate === "object");
  if (isByYear && year === undefined)
    problems.push({ path: ["currency"], message: "rates by year need 'year': the name of a date value" });
  if (year !== undefined && mapping.values[year]?.as !== "date")
    problems.push({ path: ["currency", "year"], message: `'${year}' is not the name of a value with "as": "date"` });
  return problems;
}

function recordProblems(rule: RecordRule, mapping: Mapping): MappingProblem[] {
  const { type, fields } = rule;
  const known = RECORD_FIELDS[type];
  const problems: MappingProblem[] = [];
  const add = (path: (string | number)[], message: string) => problems.push({ path, message });

  if (rule.for_each !== undefined) checkName(rule.for_each, ["for_each"]);
  for (const [name, template] of Object.entries(fields)) {
    const path = ["fields", name];
    if (BESIDE.includes(name) || !known.has(name)) {
      const names = [...known.keys()].filter((each) => !BESIDE.includes(each));
      add(path, `a ${type} has no field '${name}'${didYouMean(name, names)}`);
      continue;
    }
    const isList = (LIST_FIELDS as readonly string[]).includes(name);
    if (Array.isArray(template)) {
      if (!isList) add(path, "takes one value, not a list");
      for (const [index, item] of template.entries()) checkItem(name, item, [...path, index]);
      continue;
    }
    checkPlaceholders(template, path, isList, false);
    if (NUMBERS.has(name)) checkNumber(name, template, path);
    if (name === "investors" && template !== null)
      add(path, `expected a list such as [{"investor_id": "inv-{lead:key}", "is_lead": true}], or use investor_ids`);
  }
  for (const name of rule.op === "upsert"
    ? REQUIRED_FIELDS[type]
    : REQUIRED_FIELDS[type].filter((field) => field === "id"))
    if (fields[name] === undefined) add(["fields"], `a ${type} needs '${name}'`);
  if (rule.merge && "version" in fields)
    add(["fields", "version"], "rows that are merged can't have versions of their own");
  if (rule.merge && placeholdersOf(fields["id"]).some(({ name }) => name === "n"))
    add(["fields", "id"], "{n} makes every id another one, so no rows are merged: leave 'merge' or {n} out");
  return problems;

  function checkItem(field: string, item: string | Record<string, unknown>, path: (string | number)[]) {
    if (typeof item === "string") {
      if (field === "investors") add(path, `expected an object such as {"investor_id": "inv-{lead:key}"}`);
      return checkPlaceholders(item, path, true, false);
    }
    if (field !== "investors") return add(path, "expected a text: only 'investors' has objects");
    const { for_each: list, ...entries } = item;
    if (list !== undefined) checkName(list as string, [...path, "for_each"]);
    if (entries["investor_id"] === undefined) add(path, "an investor needs 'investor_id'");
    for (const [name, template] of Object.entries(entries)) {
      if (!["investor_id", "is_lead"].includes(name))
        add(
          [...path, name],
          `an investor of a round has no field '${name}'${didYouMean(name, ["investor_id", "is_lead"])}`,
        );
      checkPlaceholders(template, [...path, name], false, list !== undefined);
    }
  }

  function checkPlaceholders(template: unknown, path: (string | number)[], isList: boolean, inItem: boolean) {
    for (const { name } of placeholdersOf(template)) {
      if (name === "n") continue;
      if (name === "item") {
        if (rule.for_each === undefined && !inItem) add(path, "{item} needs 'for_each'");
      } else if (checkName(name, path) && mapping.values[name]?.as === "list" && !isList)
        add(path, `takes one value, and '${name}' is a list: use 'for_each' and {item}`);
    }
  }

  function checkNumber(field: string, template: unknown, path: (string | number)[]) {
    const [placeholder] = placeholdersOf(template);
    const value = placeholder && mapping.values[placeholder.name];
    const givesNumbers = !value || ["amount", "number"].includes(value.as) || value.cases.length > 0;
    if (!givesNumbers) add(path, `needs a number: give '${placeholder.name}' "as": "${NUMBERS.get(field)}"`);
  }

  function checkName(name: string, path: (string | number)[]): boolean {
    const names = Object.keys(mapping.values);
    if (names.includes(name)) return true;
    add(path, `'${name}' is not one of the values${didYouMean(name, names)}`);
    return false;
  }
}

function didYouMean(name: string, candidates: readonly string[]): string {
  const near = closestField(name, new Map(candidates.map((each) => [each, undefined])));
  return near === undefined ? `. Known: ${candidates.join(", ")}` : `, did you mean '${near}'?`;
}
