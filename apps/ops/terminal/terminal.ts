import type { Readable, Writable } from "node:stream";

/** What commands read and write, and how they end. */
export type Terminal = {
  stdin: Readable;
  /** Results only. With `json`, exactly one document. */
  stdout: Writable;
  /** Everything else that people are told. */
  stderr: Writable & { isTTY?: boolean };
  json: boolean;
  exitCode: number;
  /** Shows a result: the document with `--json`, else the text. */
  show: (document: unknown, text: string) => void;
  /** A line for people, beside the result. */
  tell: (line: string) => void;
};

export function createTerminal(streams: Pick<Terminal, "stdin" | "stdout" | "stderr">, json: boolean): Terminal {
  return {
    ...streams,
    json,
    exitCode: 0,
    show: (document, text) => void streams.stdout.write(`${json ? JSON.stringify(document) : text}\n`),
    tell: (line) => void streams.stderr.write(`${line}\n`),
  };
}
