import { JSONParser } from "@streamparser/json";
import { MAX_ITEM_BYTES, refusal, SourceError, TOO_LONG, type SourceItem } from "./item.ts";

/** How many bytes are parsed before what they hold is passed on: bounds what waits in memory. */
const STEP_BYTES = 64 * 1024;

/**
 * Reads the elements of one JSON array, as they come. Where the array is no JSON, what follows can't be told apart and is not read:
 * that is one refusal, with the number of the element.
 */
export async function* readJsonArray(bytes: AsyncIterable<Buffer>): AsyncGenerator<SourceItem> {
  const parser = new JSONParser({ paths: ["$.*"], keepStack: false });
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  let values: unknown[] = [];
  let failure: Error | undefined;
  let validUtf8 = true;
  let count = 0;
  let sinceLast = 0;
  parser.onValue = ({ value }) => values.push(value);
  parser.onError = (error) => (failure ??= error);

  const elements = function* (): Generator<SourceItem> {
    for (const value of values) {
      const raw = JSON.stringify(value);
      const place = { element: ++count };
      if (!validUtf8 && raw.includes("\ufffd")) yield refusal(place, "is not valid UTF-8", raw);
      else if (Buffer.byteLength(raw) > MAX_ITEM_BYTES) yield refusal(place, TOO_LONG, raw);
      else yield { ok: true, place, values: [value], raw };
    }
    if (values.length > 0) sinceLast = 0;
    values = [];
  };
  const rest = (reason: string) => refusal({ element: count + 1 }, `${reason}; what follows was not read`);

  try {
    for await (const chunk of bytes) {
      for (let start = 0; start < chunk.length; start += STEP_BYTES) {
        const step = chunk.subarray(start, start + STEP_BYTES);
        if (validUtf8) validUtf8 = isValid(utf8, step);
        attempt(() => parser.write(step));
        sinceLast += step.length;
        yield* elements();
        if (failure) {
          yield rest(`is not JSON: ${failure.message}`);
          return;
        }
        if (sinceLast > MAX_ITEM_BYTES + STEP_BYTES) {
          yield rest(TOO_LONG);
          return;
        }
      }
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield refusal({ element: count + 1 }, `the element is not whole: ${error.message}`);
    throw error;
  }
  if (!parser.isEnded) yield rest("the array is not closed");

  function attempt(parse: () => void) {
    try {
      parse();
    } catch (error) {
      failure ??= error as Error;
    }
  }
}

function isValid(decoder: InstanceType<typeof TextDecoder>, bytes: Buffer): boolean {
  try {
    decoder.decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
