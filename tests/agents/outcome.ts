import type { ToolResult } from "../support/mcp-client.ts";
import type { Grading, ToolCall } from "./questions.ts";

/** What a result shows: names, rows of a list, one record in full, statistics, changes, or what the data is or the caller used. */
type Form = "names" | "list" | "record" | "statistics" | "changes" | "description" | "usage";

/** What the result of a call says. */
export type Outcome = {
  form: Form;
  /** What the rows are, or were summed up: `round`, `company`, `investor`, the topic of a description; undefined where each row says it. */
  about: string | undefined;
  /** Each by what names it. */
  rows: readonly string[];
  /** How many there are in all, where the tool counts them. */
  count: number | undefined;
  /** The figures over everything and those of each group. */
  figures: readonly string[];
  /** The call for the rows after these. It may give some of these again. */
  further: ToolCall | undefined;
};

type Row = Readonly<Record<string, unknown>>;
type Given = Readonly<Record<string, unknown>>;

const FORMS: Readonly<Record<string, Form>> = {
  find: "names",
  list_rounds: "list",
  list_companies: "list",
  list_investors: "list",
  get: "record",
  stats: "statistics",
  changes: "changes",
  describe: "description",
  usage: "usage",
};
const ABOUT: Readonly<Record<string, string>> = {
  list_rounds: "round",
  list_companies: "company",
  list_investors: "investor",
  rounds: "round",
  companies: "company",
};
/** A later one shows all that an earlier one shows of a record. */
const FULLER: readonly Form[] = ["names", "list", "record"];
/** The most that the tool gives. */
const ALL_GROUPS = 1000;
/** Members of a group that are not its figures. */
const OF_GROUP = new Set(["key", "name", "id", "filters", "share"]);

/** The outcome of a call with this result; undefined for an error. */
export function outcomeOf(call: ToolCall, { isError, structuredContent }: ToolResult): Outcome | undefined {
  const form = FORMS[call.name];
  if (isError || form === undefined) return undefined;
  const { data, pagination, total } = structuredContent;
  const given = call.arguments as Given;
  const about = ABOUT[call.name] ?? ABOUT[String(given["of"])] ?? (given["type"] ?? given["topic"])?.toString();
  const rows = (Array.isArray(data) ? data : [data]) as Row[];
  const isOfStatistics = form === "statistics";
  return {
    form,
    about,
    rows: rows.map((row) => (isOfStatistics ? groupName(row) : `${about ?? kindIn(row)} ${nameOf(row)}`)),
    count: pagination?.count ?? total?.count,
    figures: isOfStatistics ? [total as Row, ...rows].map(figuresOf) : [],
    further: furtherOf(call, structuredContent),
  };
}

/** Names are of companies, investors and values of filters. */
const kindIn = ({ type }: Row): string => (typeof type === "string" ? type : "row");

/** A record by its id, anything else by its key, or by what it has. */
function nameOf(row: Row): string {
  const { key, id, company, investor } = row;
  const name = id ?? (company as Row | undefined)?.["id"] ?? (investor as Row | undefined)?.["id"] ?? key;
  return typeof name === "string" ? name : JSON.stringify(Object.keys(row));
}

/** By its key and count. The order of two dimensions does not matter. */
const groupName = ({ key, count }: Row): string =>
  JSON.stringify([Array.isArray(key) ? key.map(String).toSorted() : String(key), count]);

const figuresOf = (row: Row): string => JSON.stringify(Object.entries(row).filter(([name]) => !OF_GROUP.has(name)));

function furtherOf(
  { name, arguments: given }: ToolCall,
  { pagination, other, has_more, next }: ToolResult["structuredContent"],
): ToolCall | undefined {
  const further = (more: object): ToolCall => ({ name, arguments: { ...given, ...more } });
  if (pagination?.next_cursor) return further({ cursor: pagination.next_cursor });
  if (has_more === true && next !== undefined) return further({ since: next });
  const isWhole = !other || (given as Given)["limit"] === ALL_GROUPS;
  return isWhole ? undefined : further({ limit: ALL_GROUPS });
}

/** Whether an outcome is as good as the right one. `further`: rows after those of the right one. */
export function isRight(given: Outcome, right: Outcome, grade: Grading, further: readonly string[] = []): boolean {
  if (!isAlike(given, right, grade)) return false;
  const all = [...right.rows, ...further];
  const isAmongThem = given.rows.every((row) => all.includes(row));
  switch (grade) {
    case "count":
      return true;
    case "figures":
      return given.figures.includes(right.figures[0]!);
    case "first":
      return given.rows.length > 0 && given.rows[0] === right.rows[0];
    case "rows":
      return isAmongThem;
    case "groups":
      return isAmongThem && right.rows.every((row) => given.rows.includes(row));
    case "order":
      // One row shows no order.
      return given.rows.length >= Math.min(2, right.rows.length) && given.rows.every((row, at) => row === all[at]);
  }
}

/** Whether more rows of the right outcome could show that the given one is right. */
export const needsFurther = (given: Outcome, right: Outcome, grade: Grading, further: readonly string[]): boolean =>
  (grade === "rows" || grade === "groups" || grade === "order") &&
  isAlike(given, right, grade) &&
  given.rows.some((row) => !right.rows.includes(row) && !further.includes(row));

/** Whether they are of one kind, and of as many rows in all where those are compared. */
function isAlike(given: Outcome, right: Outcome, grade: Grading): boolean {
  const isSameForm = given.form === right.form;
  const isFuller = FULLER.includes(right.form) && FULLER.indexOf(given.form) > FULLER.indexOf(right.form);
  if (grade === "first") return isSameForm || isFuller;
  if (given.about !== right.about) return false;
  // A group can have them, among others.
  if (grade === "figures") return isSameForm;
  if (given.count !== right.count || given.count === 0) return false;
  if (grade === "count") return given.form === "list" || given.form === "statistics";
  return isSameForm && given.rows.length > 0;
}
