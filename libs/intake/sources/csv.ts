import { quoted } from "@tranche/shared/domain/text/quoted";
import { createRowMapper, type Vocabulary } from "../mapping/rows.ts";
import { type Mapping, mappedColumns } from "../mapping/schema.ts";
import { type CsvRow, readRows } from "./csv-rows.ts";
import { decode } from "./decoded.ts";
import { MAX_RAW_LENGTH, refusal, SourceError, type SourceItem, unexpected } from "./item.ts";
import type { MappedReader } from "./source.ts";

/**
 * A reader of CSV files that share a mapping. An unreadable row is refused and reading continues; a row that the mapping leaves out is
 * an item without values. Line numbers follow the line ends of the file; a row has the number of its first line.
 */
export function csvReader(mapping: Mapping, vocabulary: Vocabulary): MappedReader {
  const mapRow = createRowMapper(mapping, vocabulary);
  const dialect = {
    delimiter: mapping.delimiter,
    quote: mapping.quote,
    escape: mapping.escape ?? mapping.quote,
    lineEnds: mapping.line_ends,
  };

  return { encoding: mapping.encoding, read };

  async function* read(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
    const { texts, isValid } = decode(bytes, mapping.encoding);
    let columns = mapping.columns;
    for await (const row of readRows(texts, dialect, columns?.length)) {
      if (columns) yield itemOf(row, columns, isValid);
      else columns = columnsOf(row, mapping);
    }
  }

  function itemOf(row: CsvRow, columns: string[], isValid: (part: string) => boolean): SourceItem {
    const location = { line: row.line };
    const raw = row.raw.slice(0, MAX_RAW_LENGTH).toWellFormed();
    if (!row.ok) return refusal(location, row.problem, raw);
    const { fields } = row;
    if (fields.length !== columns.length)
      return refusal(location, `has ${countedColumns(fields.length)}, expected ${columns.length}`, raw);
    if (!isValid(row.raw)) return refusal(location, `is not valid ${mapping.encoding}`, raw);
    try {
      const mapped = mapRow(Object.fromEntries(columns.map((name, index) => [name, fields[index]!])));
      if (mapped.kind === "refused") return { ok: false, location, problems: mapped.problems, raw };
      if (mapped.kind === "skipped") return { ok: true, location, values: [], raw, skipped: true };
      const { values, filled, notes } = mapped;
      return { ok: true, location, values, filled, notes, raw };
    } catch (error) {
      return refusal(location, unexpected(error), raw);
    }
  }
}

const countedColumns = (count: number) => `${count} ${count === 1 ? "column" : "columns"}`;

/** Reads the line with the column names. Throws a SourceError when the rows can't be understood with it. */
function columnsOf(row: CsvRow, mapping: Mapping): string[] {
  if (!row.ok) throw new SourceError(`line ${row.line}, which should name the columns, ${row.problem}`);
  const columns = row.fields.map((name) => name.trim());
  const repeated = columns.filter((name, index) => name !== "" && columns.indexOf(name) !== index);
  if (repeated.length > 0)
    throw new SourceError(`has more than one column ${quoted(new Set(repeated))}: give each a name of its own`);
  const missing = mappedColumns(mapping).filter((column) => !columns.includes(column));
  if (missing.length > 0)
    throw new SourceError(
      `has no column ${quoted(missing)}, which the mapping names. Its columns: ${quoted(columns)}${delimiterHint(columns)}`,
    );
  return columns;
}

/** A line of names that is one column was probably cut at another character. */
function delimiterHint(columns: readonly string[]): string {
  const likely = columns.length === 1 ? [";", "\t", "|", ","].find((each) => columns[0]!.includes(each)) : undefined;
  return likely === undefined
    ? ""
    : `. Does ${JSON.stringify(likely)} separate them? Then set "delimiter" in the mapping`;
}
