import { readAmount } from "../mapping/amount.ts";
import { dateFormats } from "./dates.ts";
import { filled, occurring, type Table, UNDISCLOSED } from "./table.ts";

/** How the values of a row are read. */
export function valuesOf(table: Table) {
  const { columns, hasRounds } = table;
  return {
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
    ...(hasRounds ? roundValues(table) : {}),
  };
}

function roundValues(table: Table) {
  const { columns, perInvestor } = table;
  return {
    date: { column: columns.date, as: "date", formats: formatsOf(table, columns.date!) },
    ...(columns.deal_type ? { deal_type: { column: columns.deal_type, as: "label" } } : {}),
    ...(columns.amount ? { amount: amountValue(table, columns.amount) } : {}),
    ...(perInvestor && columns.amount ? { amount_text: { column: columns.amount, default: "undisclosed" } } : {}),
    ...(perInvestor ? textValue("investor", columns.investors) : listValue(table, "investors", columns.investors)),
    ...(perInvestor ? slugValue("investor_slug", columns.investor_slug) : {}),
    ...listValue(table, "leads", columns.lead),
    ...slugValue("round_slug", isUnique(table, columns.round_slug) ? columns.round_slug : undefined),
  };
}

function formatsOf(table: Table, column: string): string[] {
  const { formats } = dateFormats(filled(table, column), column);
  return formats.length > 0 ? formats : ["yyyy-MM-dd"];
}

function amountValue(table: Table, column: string): object {
  const { columns } = table;
  const amounts = filled(table, column);
  const readable = (decimal: "." | ",") => amounts.filter((text) => readAmount(text, decimal).ok).length;
  const decimal = readable(",") > readable(".") ? "," : ".";
  const read = amounts.map((text) => readAmount(text, decimal));
  const hasCurrencies =
    columns.currency !== undefined || read.some((each) => each.ok && !["$", "USD", undefined].includes(each.currency));
  const undisclosed = occurring(table.sample, UNDISCLOSED, [column]);
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

function listValue(table: Table, name: string, column: string | undefined): object {
  if (column === undefined) return {};
  const lists = filled(table, column);
  const separator = [";", "|"].find((mark) => lists.filter((text) => text.includes(mark)).length > 0.05 * lists.length);
  return {
    [name]: {
      column,
      as: "list",
      ...(separator ? { separator: `\\${separator}` } : {}),
      leave_out: ["others?", "undisclosed.*"],
    },
  };
}

function isUnique(table: Table, column: string | undefined): boolean {
  if (column === undefined) return false;
  const all = filled(table, column);
  return new Set(all).size === all.length;
}

/** `further`: where the column is empty. */
const textValue = (name: string, column: string | undefined, further?: string) =>
  column === undefined ? {} : { [name]: { column: further === undefined ? column : [column, further] } };
const numberValue = (name: string, column: string | undefined) =>
  column === undefined ? {} : { [name]: { column, as: "number", else: null } };
/** Permalinks and URLs end in a slug. */
const slugValue = (name: string, column: string | undefined) =>
  column === undefined ? {} : { [name]: { column, replace: [["^.*/", ""]] } };
