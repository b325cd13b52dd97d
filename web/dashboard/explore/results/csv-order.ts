import type { ListName } from "../../../../apps/dashboard/explore/list-fields.ts";

/** The column of the CSV that each order of the API sorts by, without its direction. */
const COLUMN_OF: Readonly<Record<string, string>> = {
  announced_date: "announced_date",
  latest_funding: "latest_announced_date",
  latest_round: "latest_round_date",
  signal_score: "signal_score",
  total_raised: "total_raised_usd",
  round_count: "round_count",
  lead_count: "lead_count",
  company_count: "company_count",
  headcount: "headcount",
};
const names = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true });

const partsOf = (sort: string) => /^(.+)_(asc|desc)$/.exec(sort)?.slice(1) ?? [];

function columnOf(list: ListName, by: string): string | undefined {
  if (by === "name") return list === "investors" ? "name" : "company_name";
  if (by === "amount") return list === "signals" ? "latest_amount_usd" : "amount_usd";
  // The CSV of the signals list has no headcounts.
  return list === "signals" && by === "headcount" ? undefined : COLUMN_OF[by];
}

/** Whether the CSV of a list has the column that an order of the API sorts by. */
export const hasOrder = (list: ListName, sort: string): boolean => columnOf(list, partsOf(sort)[0] ?? "") !== undefined;

/**
 * A CSV whose rows are in the order of their ids, in an order of the API's lists instead, as `amount_desc`: missing values come last, and
 * ties stay as they are. Null where the CSV has no column for the order.
 */
export function sortedCsv(text: string, list: ListName, sort: string): string | null {
  const [head, ...rows] = recordsOf(text);
  const [by = "", direction] = partsOf(sort);
  const column = columnOf(list, by);
  const at = column === undefined || head === undefined ? -1 : cellsOf(head).indexOf(column);
  if (at < 0) return null;
  const compare =
    by === "name"
      ? (a: string, b: string) => names.compare(a, b)
      : /date/.test(column!)
        ? (a: string, b: string) => Number(a > b) - Number(a < b)
        : (a: string, b: string) => Number(a) - Number(b);
  const sign = direction === "asc" ? 1 : -1;
  const sorted = rows
    .map((row) => ({ row, value: cellsOf(row)[at] ?? "" }))
    .toSorted((a, b) =>
      a.value === "" || b.value === ""
        ? Number(a.value === "") - Number(b.value === "")
        : sign * compare(a.value, b.value),
    );
  return [head, ...sorted.map(({ row }) => row)].map((row) => `${row}\r\n`).join("");
}

/** The records of a CSV without their line ends. A line end within quotes is part of a cell. */
const recordsOf = (text: string): string[] => text.match(/(?:[^"\r\n]|"(?:[^"]|"")*")+/g) ?? [];

function cellsOf(record: string): string[] {
  const cells = record.match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^,"]*)(?=,|$)/g) ?? [];
  return cells.map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell));
}
