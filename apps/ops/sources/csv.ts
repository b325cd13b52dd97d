import { parse } from "csv-parse";
import iconv from "iconv-lite";
import type { Mapping } from "../mapping/mapping.ts";
import { createRowMapper } from "../mapping/rows.ts";
import { MAX_ITEM_BYTES, refusal, SourceError, type SourceItem } from "./item.ts";
import { piecewise } from "./piecewise.ts";
import type { CsvReader } from "./source.ts";

const LINE_ENDS = { lf: ["\n"], crlf: ["\r\n"], cr: ["\r"], any: ["\r\n", "\n", "\r"] };

type Row = { record: string[]; info: { lines: number; columns: unknown }; raw: string };

/**
 * A reader of CSV files that share a mapping. A row that can't be read is refused and reading goes on; one that the mapping leaves out
 * is an item without values. Lines count as in the file, by its own line ends; a row is where it begins.
 */
export function csvReader(mapping: Mapping): CsvReader {
  const mapRow = createRowMapper(mapping);

  return async function* readCsv(bytes) {
    const parser = parse({
      delimiter: mapping.delimiter,
      record_delimiter: LINE_ENDS[mapping.line_ends],
      bom: true,
      info: true,
      raw: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: MAX_ITEM_BYTES,
    });
    let columns = mapping.columns;
    let before = 0;
    try {
      for await (const { record, info, raw } of piecewise<Row>(parser, decoded(bytes, mapping.encoding))) {
        const place = { line: before + 1 };
        before = info.lines;
        if (!columns) {
          columns = record.map((name) => name.trim());
          assertColumns(mapping, columns);
        } else yield itemOf(place, record, columns, raw.trimEnd());
      }
    } catch (error) {
      if (error instanceof SourceError) throw error;
      throw new SourceError(`line ${before + 1}: is no CSV: ${(error as Error).message}; what follows was not read`);
    }
  };

  function itemOf(place: { line: number }, record: string[], columns: string[], raw: string): SourceItem {
    if (record.length !== columns.length)
      return refusal(place, `has ${record.length} columns, expected ${columns.length}`, raw);
    if (raw.includes("\ufffd")) return refusal(place, `is not valid ${mapping.encoding}`, raw);
    const mapped = mapRow(Object.fromEntries(columns.map((name, index) => [name, record[index]!])));
    if (mapped.kind === "refused") return { ok: false, place, problems: mapped.problems, raw };
    return {
      ok: true,
      place,
      values: mapped.kind === "skipped" ? [] : mapped.values,
      raw,
      ...(mapped.kind === "skipped" ? { skipped: true } : {}),
    };
  }
}

async function* decoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding);
  for await (const chunk of bytes) {
    const text = decoder.write(chunk);
    if (text !== "") yield text;
  }
  const rest = decoder.end();
  if (rest) yield rest;
}

function assertColumns(mapping: Mapping, columns: readonly string[]): void {
  const wanted = [...Object.values(mapping.values), ...mapping.skip].map(({ column }) => column);
  const missing = [...new Set(wanted)].filter((column) => !columns.includes(column));
  if (missing.length === 0) return;
  throw new SourceError(`has no column ${quoted(missing)}, which the mapping names. Its columns: ${quoted(columns)}`);
}

const quoted = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ");
