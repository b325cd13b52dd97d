import iconv from "iconv-lite";
import type { Language } from "./headers.ts";
import type { Random } from "./random.ts";
import type { Script, TrueRound } from "./rounds.ts";

/** A column of a table. */
export type Cell = { header: string; write: (round: TrueRound, row: number) => string };

export function asCsv(random: Random, cells: readonly Cell[], rounds: readonly TrueRound[], encoding: string) {
  const delimiter = random.pick([",", ",", ";", "\t", "|"]);
  const lineEnd = random.pick(["\n", "\r\n"]);
  const quoted = (text: string) =>
    /[",;|\t\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
  const lines = [
    cells.map(({ header }) => header),
    ...rounds.map((round, row) => cells.map(({ write }) => write(round, row))),
  ];
  const text = lines.map((line) => line.map(quoted).join(delimiter)).join(lineEnd) + lineEnd;
  const bytes =
    encoding === "utf8 with mark"
      ? Buffer.from(`\ufeff${text}`)
      : encoding === "utf16"
        ? iconv.encode(text, "utf16", { addBOM: true })
        : iconv.encode(text, encoding);
  return { bytes, name: JSON.stringify(delimiter) };
}

/** An array or lines; investors are a list, and whole numbers are numbers. */
export function asJson(
  random: Random,
  cells: readonly Cell[],
  rounds: readonly TrueRound[],
  investors: string | undefined,
) {
  const [asArray, asNumbers] = [random.chance(0.5), random.chance(0.5)];
  const valueOf = (text: string) =>
    asNumbers && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : text === "" ? null : text;
  const rows = rounds.map((round, row) =>
    Object.fromEntries(
      cells.map(({ header, write }) => [header, header === investors ? round.investors : valueOf(write(round, row))]),
    ),
  );
  const text = asArray ? JSON.stringify(rows, null, 1) : rows.map((row) => JSON.stringify(row)).join("\n");
  return { bytes: Buffer.from(text), name: asArray ? "a JSON array" : "NDJSON" };
}

/** An encoding that has the characters of a script. */
export function encodingFor(random: Random, script: Script, language: Language): string {
  if (random.chance(0.6)) return random.pick(["utf8", "utf8", "utf8 with mark", "utf16"]);
  if (script === "cyrillic") return language === "en" ? "windows-1251" : "utf8";
  if (script === "chinese") return language === "en" ? "gb18030" : "utf8";
  return "windows-1252";
}
