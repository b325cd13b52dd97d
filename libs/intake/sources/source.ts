import type { Format } from "./formats.ts";
import type { Input } from "./input.ts";
import { startingWith } from "./input.ts";
import { refusal, SourceError, type SourceItem, unexpected } from "./item.ts";
import { jsonItems, peek } from "./json-items.ts";
import { orOneRefusal } from "./no-records.ts";
import { assertText } from "./recognise.ts";

/** Reads files of an encoding; made from a mapping. */
export type MappedReader = { encoding: string; read: (bytes: AsyncIterable<Buffer>) => AsyncIterable<SourceItem> };

/**
 * The items of an input. Without a format, `[` as the first non-blank character means a JSON array, otherwise NDJSON. It never throws:
 * if reading fails, or the input is empty, the last item says so. A file of another kind is one refusal.
 */
export function readSource(
  input: Pick<Input, "bytes">,
  format: Format | undefined,
  mapped?: MappedReader,
): AsyncGenerator<SourceItem> {
  const pieces = readPieces(input, format, mapped);
  return mapped ? pieces : orOneRefusal(pieces);
}

/** As `readSource`, with a refusal for each piece of a file of another kind. */
export async function* readPieces(
  input: Pick<Input, "bytes">,
  format: Format | undefined,
  mapped?: MappedReader,
): AsyncGenerator<SourceItem> {
  let empty = true;
  try {
    for await (const item of await reader(input.bytes, format, mapped)) {
      empty = false;
      yield item;
    }
    if (empty) yield refusal({}, "has no records");
  } catch (error) {
    yield refusal({}, error instanceof SourceError ? error.message : `${unexpected(error)}; the rest was not read`);
  }
}

async function reader(
  bytes: AsyncIterable<Buffer>,
  format: Format | undefined,
  mapped?: MappedReader,
): Promise<AsyncIterable<SourceItem>> {
  const { head, rest } = await peek(bytes);
  assertText(head, mapped?.encoding);
  const all = startingWith(head, rest);
  return mapped ? mapped.read(all) : jsonItems(all, format === "csv" ? undefined : format);
}
