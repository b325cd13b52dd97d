import { RECORD_TYPES } from "@tranche/shared/domain/records/record";
import { refusal, type SourceItem } from "./item.ts";

/** This many pieces, or this much text of them, without a record are enough to say that a file has none. */
const LOOKED_AT = 100;
const LOOKED_AT_LENGTH = 1024 * 1024;

/** Puts one refusal that says what to do in place of the same refusal for each piece of a file without records. */
export async function* orOneRefusal(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem> {
  let begin: SourceItem[] | undefined = [];
  let length = 0;
  for await (const item of items) {
    if (!begin) {
      yield item;
      continue;
    }
    begin.push(item);
    length += item.raw?.length ?? 0;
    const hasRecord = isRecord(item);
    if (!hasRecord && begin.length < LOOKED_AT && length < LOOKED_AT_LENGTH) continue;
    const reason = hasRecord ? undefined : whyNoRecords(begin);
    if (reason !== undefined) {
      yield refusal({}, `${reason}. The file was not read further`);
      return;
    }
    yield* begin;
    begin = undefined;
  }
  if (!begin) return;
  const reason = whyNoRecords(begin);
  if (reason === undefined) yield* begin;
  else yield refusal({}, reason);
}

function isRecord(item: SourceItem): boolean {
  return item.ok && item.values.some((value) => (RECORD_TYPES as readonly unknown[]).includes(typeOf(value)));
}

const typeOf = (value: unknown) => (typeof value === "object" && value !== null && "type" in value ? value.type : null);

/** The problem of the file as a whole; undefined when its pieces are better refused one by one. */
function whyNoRecords(items: readonly SourceItem[]): string | undefined {
  const texts = items.map((item) => item.raw ?? "");
  const [first = "", second = ""] = texts;
  if (items.length === 0 || items.some(isOfWholeFile)) return undefined;
  if (items.every((item) => item.ok)) return items.length > 1 ? notRecords(items) : undefined;
  if (/\}\r+\{/.test(first))
    return "has lines that end with CR alone, expected LF: `tr '\\r' '\\n' < FILE` converts them";
  if (first.startsWith("{") && /^["}\]]/.test(second))
    return "is JSON with line breaks inside its records, expected one record per line, or one array of records: `jq -c . FILE` writes one per line";
  if (texts.some((text) => /^[{[]/.test(text))) return undefined;
  if (first.startsWith("<")) return "is HTML or XML, expected NDJSON, a JSON array, or CSV with a mapping";
  if (/[,;\t|]/.test(first))
    return "looks like CSV: give a mapping, which says what its columns mean, with --map FILE; --suggest-map writes a first one";
  return "has no records: none of its lines is JSON. A CSV file needs a mapping: --map FILE";
}

function isOfWholeFile({ location }: SourceItem): boolean {
  return !("line" in location) && !("element" in location);
}

function notRecords(items: readonly SourceItem[]): string {
  const pieces = "line" in items[0]!.location ? "lines" : "elements";
  const found = items.map((item) => (item.ok ? typeOf(item.values[0]) : null)).find((type) => type !== null);
  const type =
    found === undefined ? 'has a "type"' : `has a known "type" (found ${JSON.stringify(found).slice(0, 80)})`;
  return `has no records: none of its first ${items.length} ${pieces} ${type}, expected ${RECORD_TYPES.join(", ")}. JSON of another shape needs a mapping: --suggest-map writes a first one`;
}
