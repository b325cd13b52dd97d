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
};
const names = new Intl.Collator("en", { sensitivity: "base", ignorePunctuation: true });

/**
 * A CSV whose rows are in the order of their ids, in an order of the API's lists instead, as `amount_desc`: missing values come last, and
 * ties stay as they are. Null where the CSV has no column for the order.
 */
export function sortedCsv(text: string, list: ListName, sort: string): string | null {
  const [head, ...rows] = recordsOf(text);
  const [, by = "", direction] = /^(.+)_(asc|desc)$/.exec(sort) ?? [];
  const amount = list === "signals" ? "latest_amount_usd" : "amount_usd";
  const name = list === "investors" ? "name" : "company_name";
  const column = by === "name" ? name : by === "amount" ? amount : COLUMN_OF[by];
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
