import { constants, gunzipSync, gzipSync } from "node:zlib";
import type { Random } from "./random.ts";

/** What a file holds that can be ingested, as NDJSON has it. */
export type Good = { type: "company" | "round"; id: string } & Record<string, unknown>;

/** A file that is broken in one way. `refused`: the places that have to be named, `""` for the file as a whole. */
export type BrokenFile = {
  /** Undefined for a file that is not there. */
  content: Buffer | undefined;
  good: Good[];
  refused: string[];
};

type Kind = (rows: readonly Row[], random: Random) => BrokenFile;

export type Row = { id: string; name: string; date: string; amount: number };

/** What the columns of the CSV files mean. */
export const MAPPING = {
  values: {
    id: { column: "id" },
    name: { column: "name" },
    date: { column: "date", as: "date" },
    amount: { column: "amount", as: "amount" },
  },
  records: [
    { type: "company", fields: { id: "{id}", name: "{name}" } },
    { type: "round", fields: { id: "r-{id}", company_id: "{id}", announced_date: "{date}", amount_usd: "{amount}" } },
  ],
};

const LONG = 1_100_000;
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

const goodOf = ({ id, name, date, amount }: Row): Good[] => [
  { type: "company", id, name: name.replaceAll("\n", " ") },
  { type: "round", id: `r-${id}`, company_id: id, announced_date: date, amount_usd: amount },
];
const goodLines = (good: readonly Good[]) => good.map((record) => JSON.stringify(record));

/** A file that is sound. */
export const soundNdjson = (rows: readonly Row[]): BrokenFile => {
  const good = rows.flatMap(goodOf);
  return { content: Buffer.from(`${goodLines(good).join("\n")}\n`), good, refused: [] };
};
export const soundCsv = (rows: readonly Row[]): BrokenFile => ({
  content: Buffer.from([HEADER, ...rows.map(csvLine)].join("\n")),
  good: rows.flatMap(goodOf),
  refused: [],
});

const bytes = (...parts: (string | number[] | Buffer)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const round = (over: object) =>
  JSON.stringify({ type: "round", id: "bad", company_id: "co", announced_date: "2024-01-01", amount_usd: 1, ...over });
const company = (over: object) => JSON.stringify({ type: "company", id: "bad", name: "Bad", ...over });
const signal = (over: object) =>
  JSON.stringify({ type: "signal", company_id: "co", key: "hiring", detected_at: "2024-01-01", ...over });

/** Lines that are not valid records. */
const BAD_LINES: Record<string, string | Buffer> = {
  "not JSON": "{oops",
  "cut off": '{"type":"company","id":',
  "plain text": "hello",
  "single quotes": "{'type':'company','id':'bad','name':'Bad'}",
  "trailing comma": '{"type":"company","id":"bad","name":"Bad",}',
  "not a number": '{"type":"round","id":"bad","amount_usd":NaN}',
  "two records": `${company({})}${company({})}`,
  "a number": "42",
  "an array": "[1,2]",
  "an empty object": "{}",
  "unknown type": company({ type: "compny" }),
  "unknown op": company({ op: "upsrt" }),
  "no id": company({ id: undefined }),
  "empty id": company({ id: "" }),
  "id with a control character": company({ id: "a\nb" }),
  "id with half a character": '{"type":"company","id":"\\ud800","name":"Bad"}',
  "long id": company({ id: "x".repeat(600) }),
  "no name": company({ name: undefined }),
  "invisible name": company({ name: "\u200b" }),
  "negative amount": round({ amount_usd: -1 }),
  "amount as text": round({ amount_usd: "1" }),
  "impossible date": round({ announced_date: "2024-02-30" }),
  "investors as text": round({ investors: "Sequoia" }),
  "unknown key": signal({ key: "luck" }),
  "nested too deeply": company({ name: "Bad" }).replace('"Bad"', nested(101)),
  "nested 200,000 times": nested(200_000),
  "longer than 1 MiB": company({ name: "x".repeat(LONG) }),
  "invalid UTF-8": bytes('{"type":"company","id":"bad","name":"', [0xff], '"}'),
  "escape sequences": "\u001b]0;pwned\u0007\u001b[2J{x",
  "zero bytes": "\0\0\0",
};

/** Elements that are not good, but leave the array readable. */
const BAD_ELEMENTS: Record<string, string> = {
  "not JSON": '{"type" "company"}',
  "nested 200,000 times": nested(200_000),
  "longer than 1 MiB": company({ name: "x".repeat(LONG) }),
  "a text": '"hello, [world]"',
  "no name": company({ name: undefined }),
  empty: " ",
};

const HEADER = "id,name,date,amount";
const csvLine = ({ id, name, date, amount }: Row) => `${id},"${name}",${date},${amount}`;

const BAD_ROWS: Record<string, string | Buffer> = {
  "stray quote": 'bad,The 5" Screen,2024-01-01,5',
  "unclosed quote": 'bad,"Bad,2024-01-01,5',
  "text after a quote": 'bad,"Bad" Inc,2024-01-01,5',
  "too few columns": "bad,Bad,2024-01-01",
  "too many columns": "bad,Bad,2024-01-01,5,6",
  "longer than 1 MiB": `bad,${"x".repeat(LONG)},2024-01-01,5`,
  "invalid UTF-8": bytes("bad,B", [0xff], "d,2024-01-01,5"),
  "impossible date": "bad,Bad,2024-02-30,5",
  "amount as text": "bad,Bad,2024-01-01,lots",
  "no id": ",Bad,2024-01-01,5",
};

/** Puts a piece at a place by chance; `first` is the number of the piece that may come first. */
function withBad(lines: readonly string[], bad: string | Buffer, random: Random, between: string, first = 0) {
  const at = first + random.below(lines.length + 1 - first);
  const join = (some: readonly string[]) => some.map((line) => `${line}${between}`).join("");
  const content = bytes(join(lines.slice(0, at)), bad, between, join(lines.slice(at)));
  return { content, number: at + 1 };
}

const wholeFile = (content: Buffer | string | undefined): BrokenFile => ({
  content: typeof content === "string" ? Buffer.from(content) : content,
  good: [],
  refused: [""],
});

const lines =
  (bad: string | Buffer): Kind =>
  (rows, random) => {
    const good = rows.flatMap(goodOf);
    const { content, number } = withBad(goodLines(good), bad, random, "\n");
    return { content, good, refused: [`${number}`] };
  };

const elements =
  (bad: string): Kind =>
  (rows, random) => {
    const good = rows.flatMap(goodOf);
    const { content, number } = withBad(goodLines(good), bad, random, ",\n");
    // The last comma has no element behind it.
    return { content: bytes("[", content.subarray(0, -2), "]"), good, refused: [`${number}`] };
  };

const csvRows =
  (bad: string | Buffer): Kind =>
  (rows, random) => {
    const multiLine = rows.map((row, index) => (index % 3 === 0 ? { ...row, name: `${row.name},\nInc` } : row));
    const { content } = withBad([HEADER, ...multiLine.map(csvLine)], bad, random, "\n", 1);
    const before = content.toString("latin1", 0, content.indexOf(bad));
    return { content, good: multiLine.flatMap(goodOf), refused: [`${before.split("\n").length}`] };
  };

const jsonArray = (good: readonly Good[]) => `[${goodLines(good).join(",\n")}]`;
const ndjson = (good: readonly Good[]) => `${goodLines(good).join("\n")}\n`;

/** Kinds of files that are broken as a whole, or from some place on. */
const BROKEN: Record<string, Kind> = {
  "array: not closed": (rows) => {
    const good = rows.flatMap(goodOf);
    return {
      content: Buffer.from(`${jsonArray(good).slice(0, -1)},{"type":"comp`),
      good,
      refused: [`${good.length + 1}`],
    };
  },
  "array: a bracket is missing": (rows) => {
    const good = rows.flatMap(goodOf);
    return {
      content: Buffer.from(jsonArray([...good, ...good]).replace(`${JSON.stringify(good.at(-1))},`, '{"bad":[1},')),
      good: good.slice(0, -1),
      refused: [`${good.length}`],
    };
  },
  "array: more behind it": (rows) => {
    const good = rows.flatMap(goodOf);
    return { content: Buffer.from(`${jsonArray(good)}\n${jsonArray(good)}`), good, refused: [""] };
  },
  "gzip: cut off": (rows) => {
    const packed = gzipSync(ndjson(rows.flatMap(goodOf)));
    const cut = packed.subarray(0, Math.floor(packed.length * 0.8));
    const whole = gunzipSync(cut, { finishFlush: constants.Z_SYNC_FLUSH }).toString("utf8").split("\n");
    const half = whole.pop();
    return {
      content: cut,
      good: whole.map((line) => JSON.parse(line) as Good),
      refused: [...(half === "" ? [] : [`${whole.length + 1}`]), ""],
    };
  },
  "gzip: wrong checksum": (rows) => {
    const good = rows.flatMap(goodOf);
    const packed = gzipSync(ndjson(good));
    packed[packed.length - 6]! ^= 0xff;
    return { content: packed, good, refused: [""] };
  },
  "gzip: garbage behind it": (rows) => {
    const good = rows.flatMap(goodOf);
    return { content: bytes(gzipSync(ndjson(good)), "garbage"), good, refused: [] };
  },
  "gzip: twice": (rows) => wholeFile(gzipSync(gzipSync(ndjson(rows.flatMap(goodOf))))),
  missing: () => wholeFile(undefined),
  empty: () => wholeFile(""),
  "UTF-16": (rows) => wholeFile(Buffer.from(`\ufeff${ndjson(rows.flatMap(goodOf))}`, "utf16le")),
  "pretty-printed": (rows) => wholeFile(JSON.stringify(goodOf(rows[0]!)[0], null, 2)),
  "CSV without a mapping": (rows) => wholeFile([HEADER, ...rows.map(csvLine)].join("\n")),
};

const BROKEN_CSV: Record<string, Kind> = {
  "CSV: two columns of one name": (rows) => wholeFile(["id,name,date,name,amount", ...rows.map(csvLine)].join("\n")),
  "CSV: a column is missing": (rows) => wholeFile(["id,nom,date,amount", ...rows.map(csvLine)].join("\n")),
};

const mapped = <T>(table: Record<string, T>, prefix: string, kind: (bad: T) => Kind) =>
  Object.entries(table).map(([name, bad]) => [`${prefix}: ${name}`, kind(bad)] as const);

/** Every kind of broken file, by its name: those that are read without a mapping, and those with `MAPPING`. */
export const KINDS: { json: Record<string, Kind>; csv: Record<string, Kind> } = {
  json: Object.fromEntries([
    ...mapped(BAD_LINES, "line", lines),
    ...mapped(BAD_ELEMENTS, "element", elements),
    ...Object.entries(BROKEN),
  ]),
  csv: Object.fromEntries([...mapped(BAD_ROWS, "row", csvRows), ...Object.entries(BROKEN_CSV)]),
};
