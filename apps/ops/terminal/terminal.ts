import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";

export type Style = Parameters<typeof styleText>[0];

/** What commands read and write, and how they end. */
export type Terminal = {
  stdin: Readable;
  /** Results only. With `json`, exactly one document. */
  stdout: Writable;
  /** Everything else for people. */
  stderr: Writable & { isTTY?: boolean };
  json: boolean;
  exitCode: number;
  /** Shows a result: the document with `--json`, otherwise the text. */
  show: (document: unknown, text: string) => void;
  /** Prints a line beside the result. */
  tell: (line: string) => void;
  /** Prints a warning beside the result. */
  warn: (line: string) => void;
  /** Prints an error. */
  fail: (line: string) => void;
  /** A warning as `warn` prints it. */
  warning: (line: string) => string;
  /** Text of a result in a style: on a terminal, unless NO_COLOR is set, or with FORCE_COLOR. */
  paint: (style: Style, text: string) => string;
};

export function createTerminal(streams: Pick<Terminal, "stdin" | "stdout" | "stderr">, json: boolean): Terminal {
  const styled = (stream: Writable, style: Style, text: string) => (json ? text : styleText(style, text, { stream }));
  const print = (line: string) => void streams.stderr.write(`${line}\n`);
  const warning = (line: string) => `${styled(streams.stderr, "yellow", "warning:")} ${line}`;
  return {
    ...streams,
    json,
    exitCode: 0,
    show: (document, text) => void streams.stdout.write(`${json ? JSON.stringify(document) : text}\n`),
    tell: print,
    warn: (line) => print(warning(line)),
    fail: (line) => print(`${styled(streams.stderr, ["red", "bold"], "error:")} ${line}`),
    warning,
    paint: (style, text) => styled(streams.stdout, style, text),
  };
}
