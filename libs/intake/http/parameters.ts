import type { IncomingHttpHeaders } from "node:http";
import { mappingNameOf } from "@tranche/shared/accounts/mapping-store";
import { shareOf } from "@tranche/shared/domain/text/share";
import { STORED_NAME, STORED_NAME_RULE } from "@tranche/shared/domain/text/stored-name";
import { FORMATS, type Format } from "../sources/formats.ts";
import { ALLOWED_SHARE } from "../runs/set-run.ts";
import { IngestError } from "./errors.ts";

/** The options of an upload. */
export type UploadParameters = {
  format: Format | undefined;
  /** A stored mapping: its name, and the version, or the newest. */
  map: { name: string; version: number | undefined } | undefined;
  /** Names the input in refusals and in the run. */
  file: string;
  /** The body is everything that this set has now. */
  set: { name: string; allowDeletes: number } | undefined;
  strict: boolean;
  onlyNew: boolean;
  wait: boolean;
};

const KNOWN = ["format", "map", "file", "set", "allow_deletes", "strict", "only_new", "wait"];
const MAX_FILE = 200;

/** Reads the query string of an upload. Throws `invalid_request` that names the parameter. */
export function parametersOf(query: URLSearchParams): UploadParameters {
  for (const name of new Set(query.keys())) {
    if (!KNOWN.includes(name)) throw wrong(name, `There is no parameter '${name}'. Known: ${KNOWN.join(", ")}.`);
    if (query.getAll(name).length > 1) throw wrong(name, `The parameter '${name}' is given more than once.`);
  }
  const format = query.get("format") ?? undefined;
  if (format !== undefined && !(FORMATS as readonly string[]).includes(format))
    throw wrong("format", `'${shown(format)}' is not a format: ${FORMATS.join(", ")}.`);
  const map = mapOf(query.get("map"));
  if (format === "csv" && !map) throw wrong("format", "CSV needs a mapping: name a stored one with map=NAME.");
  if (map && format !== undefined && format !== "csv")
    throw wrong("format", "A mapping says the format itself: leave format out.");
  const set = setOf(query);
  const onlyNew = flag(query, "only_new");
  if (set && onlyNew) throw wrong("only_new", "A set says what its records are now: leave only_new out.");
  return {
    set,
    format: format as Format | undefined,
    map,
    file: fileOf(query.get("file")),
    strict: flag(query, "strict"),
    onlyNew,
    wait: flag(query, "wait"),
  };
}

function mapOf(text: string | null): UploadParameters["map"] {
  if (text === null) return undefined;
  const map = mappingNameOf(text);
  if (!map) throw wrong("map", `'${shown(text)}' is not the name of a stored mapping: write NAME or NAME@VERSION.`);
  return map;
}

function setOf(query: URLSearchParams): UploadParameters["set"] {
  const [name, share] = [query.get("set"), query.get("allow_deletes")];
  if (name === null) {
    if (share !== null) throw wrong("allow_deletes", "allow_deletes is for a set: name it with set=NAME.");
    return undefined;
  }
  if (!STORED_NAME.test(name)) throw wrong("set", `'${shown(name)}' is not the name of a set: ${STORED_NAME_RULE}.`);
  const allowDeletes = share === null ? ALLOWED_SHARE : shareOf(share);
  if (allowDeletes === undefined)
    throw wrong("allow_deletes", `'${shown(share!)}' is not a share: write a whole number of percent, such as 100%.`);
  return { name, allowDeletes };
}

/** A name without its folders, which are nobody's business here. */
function fileOf(text: string | null): string {
  const name = text?.split(/[/\\]/).at(-1) ?? "";
  if (text !== null && (name === "" || name.length > MAX_FILE || /\p{Cc}/u.test(name)))
    throw wrong("file", "file is the name of the file, of at most 200 characters.");
  return name === "" ? "request body" : name;
}

function flag(query: URLSearchParams, name: string): boolean {
  const text = query.get(name);
  if (text === null || text === "false") return false;
  if (text === "true") return true;
  throw wrong(name, `${name} is true or false.`);
}

/** Whether the body is packed with gzip, by its Content-Encoding. */
export function isPacked(headers: IncomingHttpHeaders): boolean {
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  if (encoding === "identity") return false;
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  throw wrong("Content-Encoding", `'${shown(encoding)}' is not read here: send the body plain, or packed with gzip.`);
}

/** Forms wrap the bytes, so they would be read as rows. */
export function assertNoForm(headers: IncomingHttpHeaders): void {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  // curl sets this one by itself with --data-binary, so it says nothing.
  if (!type.startsWith("multipart/")) return;
  throw wrong("Content-Type", "A form is not read here: send the file itself as the body, as `curl -T FILE` does.");
}

/** The key under which the sender will repeat this upload if it has to; undefined without one. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw wrong("Idempotency-Key", "Idempotency-Key has 1 to 255 visible ASCII characters.");
  return key;
}

const wrong = (parameter: string, message: string) => new IngestError("invalid_request", message, { parameter });
const shown = (text: string) => text.slice(0, 80);
