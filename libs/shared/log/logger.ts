import { pino, type Logger } from "pino";

export type { Logger };

/**
 * JSON lines on standard output; `level` is one of pino's. Whatever may hold a secret is removed before it is written.
 */
export function createLogger(process: string, level: string): Logger {
  return pino({
    name: process,
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
      censor: "[redacted]",
    },
    timestamp: pino.stdTimeFunctions.isoTime,
  });
}
