import { hash } from "node:crypto";
import type { ApiError } from "../errors/api-error.ts";
import { type Encoded, encodedOnce } from "@tranche/http/server/encoded";
import { type Format, MEDIA_TYPES } from "./formats.ts";

/** Bytes that many callers may ask for, plain and compressed. Without `encoded` they are never sent compressed. */
export type Content = { body: Buffer; encoded?: Encoded; type: string; etag: string };

/** The content of a reply, and the headers that belong to it. */
export type Answer = Required<Content> & { headers: Readonly<Record<string, string>> };

/** The error of a request that can be refused only after a search. Cached and invalidated like an answer. */
export type Refusal = { refused: ApiError };

/** The ETag is weak, as the same content may travel compressed or not. `kind` distinguishes contents of equal bytes. */
export function contentOf(kind: string, body: Buffer, type = kind): Required<Content> {
  return { body, encoded: encodedOnce(body), type, etag: `W/"${kind}-${hash("sha1", body, "base64url")}"` };
}

export function answerOf(format: Format, text: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { ...contentOf(format, Buffer.from(text), `${MEDIA_TYPES[format]}; charset=utf-8`), headers };
}
