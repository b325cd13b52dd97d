import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { readAmount } from "../mapping/amount.ts";
import { anyOf } from "../mapping/condition.ts";
import { type Recognised, recognise } from "./columns.ts";
import { dateFormats } from "./dates.ts";
import type { Sample } from "./sample.ts";

export type Suggestion = { mapping: object; recognised: Recognised; unused: string[] };

const EMPTY_TEXTS = ["n/a", "#n/a", "na", "nan", "null", "none", "nil", "-", "—", "\\?"];
const UNDISCLOSED = ["undisclosed( amount)?", "not disclosed", "unknown", "tbd", "confidential"];
/** From this share of rows on that repeat the round of the row before with another investor, a row is one investor. */
const ROW_PER_INVESTOR_FROM = 0.05;

/** A first mapping for a file, from the names and texts of its columns; undefined when no column holds the companies. */
export function suggestMapping(sample: Sample, dealTypes: DealTypes): Suggestion | undefined {
  const texts = (column: string) => sample.rows.map((row) => row[column]!.trim());
  const occurs = (patterns: readonly string[], columns: readonly string[]) =>
    patterns.filter((pattern) => columns.some((column) => texts(column).some(anyOf([pattern]))));
  const empty = occurs(EMPTY_TEXTS, sample.columns);
  const isEmpty = anyOf([...empty, ...UNDISCLOSED]);
  const columns = recognise(sample, dealTypes, isEmpty);
  if (columns.company === undefined) return undefined;
  const filled = (column: string) => texts(column).filter((text) => text !== "" && !isEmpty(text));

  const hasRounds = columns.date !== undefined && [columns.amount, columns.deal_type, columns.investors].some(Boolean);
  const perInvestor = hasRounds && isRowPerInvestor(sample, columns);
  const values = {
    name: { column: columns.company },
    ...slugValue("slug", columns.company_slug),
    ...textValue("country", columns.country),
    ...textValue("city", columns.city ?? columns.region, columns.city && columns.region),
    ...textValue("category", columns.category),
    ...(columns.domain
      ? {
          domain: {
            column: columns.domain,
            replace: [
              ["^https?://", ""],
              ["^www\\.", ""],
              ["/.*$", ""],
            ],
          },
        }
      : {}),
    ...numberValue("founded_year", columns.founded_year),
    ...numberValue("headcount", columns.headcount),
    ...(hasRounds ? roundValues() : {}),
  };
  const companyKey = columns.company_slug ? "{slug}" : "{name:key}";
  const records = [...(hasRounds ? investorRecords() : []), companyRecord(), ...(hasRounds ? [roundRecord()] : [])];
  const used = new Set(Object.values(columns));
  return {
    mapping: {
      description:
        "A first mapping, suggested from the beginning of the file: check each column, then try it with --dry-run.",
      ...(sample.encoding === "utf8" ? {} : { encoding: sample.encoding }),
      ...(sample.delimiter === "," ? {} : { delimiter: sample.delimiter }),
      ...(sample.lineEnds === "any" ? {} : { line_ends: sample.lineEnds }),
      ...(empty.length > 0 ? { empty } : {}),
      values,
      records,
    },
    recognised: columns,
    unused: sample.columns.filter((column) => !used.has(column)),
  };

  function roundValues() {
    return {
      date: { column: columns.date, as: "date", formats: formatsOf(columns.date!) },
      ...(columns.deal_type ? { deal_type: { column: columns.deal_type, as: "label" } } : {}),
      ...(columns.amount ? { amount: amountValue(columns.amount) } : {}),
      ...(perInvestor && columns.amount ? { amount_text: { column: columns.amount, default: "undisclosed" } } : {}),
      ...(perInvestor ? textValue("investor", columns.investors) : listValue("investors", columns.investors)),
      ...(perInvestor ? slugValue("investor_slug", columns.investor_slug) : {}),
      ...listValue("leads", columns.lead),
      ...slugValue("round_slug", isUnique(columns.round_slug) ? columns.round_slug : undefined),
    };
  }

  function formatsOf(column: string): string[] {
    const { formats } = dateFormats(filled(column), column);
    return formats.length > 0 ? formats : ["yyyy-MM-dd"];
  }

  function amountValue(column: string): object {
    const amounts = filled(column);
    const readable = (decimal: "." | ",") => amounts.filter((text) => readAmount(text, decimal).ok).length;
    const decimal = readable(",") > readable(".") ? "," : ".";
    const read = amounts.map((text) => readAmount(text, decimal));
    const hasCurrencies =
      columns.currency !== undefined ||
      read.some((each) => each.ok && !["$", "USD", undefined].includes(each.currency));
    const undisclosed = occurs(UNDISCLOSED, [column]);
    return {
      column,
      ...(undisclosed.length > 0 ? { empty: undisclosed } : {}),
      as: "amount",
      ...(decimal === "," ? { decimal } : {}),
      // Without rates, other currencies are refused with a hint how to convert them; null would hide them.
      ...(hasCurrencies ? { currency: { ...(columns.currency ? { column: columns.currency } : {}), rates: {} } } : {}),
      ...(!hasCurrencies && read.some((each) => !each.ok) ? { else: null } : {}),
    };
  }

  function listValue(name: string, column: string | undefined): object {
    if (column === undefined) return {};
    const lists = filled(column);
    const separator = [";", "|"].find(
      (mark) => lists.filter((text) => text.includes(mark)).length > 0.05 * lists.length,
    );
    return {
      [name]: {
        column,
        as: "list",
        ...(separator ? { separator: `\\${separator}` } : {}),
        leave_out: ["others?", "undisclosed.*"],
      },
    };
  }

  function isUnique(column: string | undefined): boolean {
    if (column === undefined) return false;
    const all = filled(column);
    return new Set(all).size === all.length;
  }

  function investorRecords(): object[] {
    if (perInvestor)
      return [
        {
          type: "investor",
          merge: true,
          when: { column: columns.investors, fits: ".*\\w.*" },
          fields: { id: investorId(), name: "{investor}" },
        },
      ];
    return [columns.investors && "investors", columns.lead && "leads"]
      .filter((list) => list !== undefined)
      .map((list) => ({
        type: "investor",
        for_each: list,
        merge: true,
        fields: { id: "inv-{item:key}", name: "{item}" },
      }));
  }

  function investorId(): string {
    return columns.investor_slug ? "inv-{investor_slug}" : "inv-{investor:key}";
  }

  function companyRecord(): object {
    const optional = ["slug", "country", "city", "category", "domain", "founded_year", "headcount"].filter(
      (name) => name in values,
    );
    const fields = Object.fromEntries(optional.map((name) => [name, `{${name}}`]));
    return { type: "company", merge: true, fields: { id: `co-${companyKey}`, name: "{name}", ...fields } };
  }

  function roundRecord(): object {
    const type = columns.deal_type ? "{deal_type}" : "round";
    const amount = columns.amount ? "{amount_text:key}" : "undisclosed";
    const id = perInvestor
      ? `rnd-${companyKey}-{date}-${type}-${amount}`
      : "round_slug" in values
        ? "rnd-{round_slug}"
        : `rnd-${companyKey}-{date}-{n}`;
    return {
      type: "round",
      ...(perInvestor ? { merge: true } : {}),
      fields: {
        id,
        company_id: `co-${companyKey}`,
        announced_date: "{date}",
        ...(columns.deal_type ? { deal_type: "{deal_type}" } : {}),
        amount_usd: columns.amount ? "{amount}" : null,
        ...investorFields(),
      },
    };
  }

  function investorFields(): object {
    if (perInvestor) return { investor_ids: investorId() };
    if (!columns.lead) return columns.investors ? { investor_ids: "inv-{investors:key}" } : {};
    const others = columns.investors ? [{ for_each: "investors", investor_id: "inv-{item:key}" }] : [];
    return { investors: [{ for_each: "leads", investor_id: "inv-{item:key}", is_lead: true }, ...others] };
  }
}

/** `further`: where the column is empty. */
const textValue = (name: string, column: string | undefined, further?: string) =>
  column === undefined ? {} : { [name]: { column: further === undefined ? column : [column, further] } };
const numberValue = (name: string, column: string | undefined) =>
  column === undefined ? {} : { [name]: { column, as: "number", else: null } };
/** Permalinks and URLs end in a slug. */
const slugValue = (name: string, column: string | undefined) =>
  column === undefined ? {} : { [name]: { column, replace: [["^.*/", ""]] } };

function isRowPerInvestor({ rows }: Sample, { company, date, amount, deal_type, investors }: Recognised): boolean {
  if (investors === undefined) return false;
  const rounds = new Map<string, Set<string>>();
  for (const row of rows) {
    const key = JSON.stringify([company, date, amount, deal_type].map((column) => column && row[column]));
    rounds.set(key, (rounds.get(key) ?? new Set()).add(row[investors]!));
  }
  const repeated = [...rounds.values()].reduce((sum, names) => sum + names.size - 1, 0);
  return repeated > ROW_PER_INVESTOR_FROM * rows.length;
}
