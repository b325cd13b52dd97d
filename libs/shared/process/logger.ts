import { hostname } from "node:os";
import { pino, type Logger } from "pino";
import { VERSION } from "./build.ts";

export type { Logger };

/** An API key or the token of a feed link, whole or cut off, wherever it is. */
const API_KEYS = /(tr[ncfior]_)[0-9A-Za-z]{8}_[0-9A-Za-z]+/g;
/** User and password in an address. */
const CREDENTIALS = /(\w:\/\/)[^\s/@"]+@/g;
const CENSOR = "[redacted]";

/** A text without API keys and without credentials in addresses. */
export function withoutSecrets(text: string): string {
  return text.replace(API_KEYS, `$1${CENSOR}`).replace(CREDENTIALS, `$1${CENSOR}@`);
}

/**
 * JSON lines on standard output; `level` is one of pino's. Whatever may hold a secret is removed before it is written: fields
 * by their names, API keys and credentials wherever they are in a line.
 */
export function createLogger(name: string, level: string): Logger {
  return pino({
    name,
    base: { pid: process.pid, hostname: hostname(), version: VERSION },
    level,
    redact: {
      paths: [
        "authorization",
        "*.authorization",
        "*.headers.authorization",
        "headers.authorization",
        "key",
        "*.key",
        "password",
        "*.password",
      ],
      censor: CENSOR,
    },
    serializers: { err: shownError },
    hooks: { streamWrite: withoutSecrets },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}

/** Only the essential parts of an error: clients of engines attach whole requests to theirs. */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return { type: name, message, ...(code ? { code } : {}), stack, ...(cause ? { cause: shownError(cause) } : {}) };
}
