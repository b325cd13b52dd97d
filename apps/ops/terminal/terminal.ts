import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";
import { createInterface } from "node:readline";
import { Interrupted } from "./failure.ts";
import { coloursOf, plain, plainJson } from "./plain.ts";

export type Style = Parameters<typeof styleText>[0];

/** The input and output of commands, and how they end. */
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
  /** Asks a person, and returns what they type; only where standard input and standard error are a terminal. */
  ask: ((question: string) => Promise<string>) | undefined;
  /** Text of a result in a style: on a terminal, unless NO_COLOR is set, or with FORCE_COLOR. */
  paint: (style: Style, text: string) => string;
};

const isTerminal = (stream: object) => (stream as { isTTY?: boolean }).isTTY === true;

/** Rejects when the input ends, or with Ctrl-C. */
async function asked({ stdin, stderr }: Pick<Terminal, "stdin" | "stderr">, question: string): Promise<string> {
  const lines = createInterface({ input: stdin, output: stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once("close", () => reject(new Interrupted("Stopped: nothing was enqueued.")));
      lines.once("SIGINT", () => lines.close());
      lines.question(question, resolve);
    });
  } finally {
    lines.close();
  }
}

export function createTerminal(streams: Pick<Terminal, "stdin" | "stdout" | "stderr">, json: boolean): Terminal {
  const styled = (stream: Writable, style: Style, text: string) => (json ? text : styleText(style, text, { stream }));
  // Much of the output comes from input files, so control characters are removed here.
  const colours = new Set<string>();
  const write = (line: string) => void streams.stderr.write(`${line}\n`);
  const warning = (line: string) => `${styled(streams.stderr, "yellow", "warning:")} ${plain(line)}`;
  return {
    ...streams,
    json,
    exitCode: 0,
    show: (document, text) => void streams.stdout.write(`${json ? plainJson(document) : plain(text, colours)}\n`),
    tell: (line) => write(plain(line)),
    warn: (line) => write(warning(line)),
    fail: (line) => write(`${styled(streams.stderr, ["red", "bold"], "error:")} ${plain(line)}`),
    warning,
    ask:
      !json && isTerminal(streams.stdin) && isTerminal(streams.stderr)
        ? (question) => asked(streams, plain(question))
        : undefined,
    paint(style, text) {
      const painted = styled(streams.stdout, style, plain(text));
      for (const colour of coloursOf(styled(streams.stdout, style, " "))) colours.add(colour);
      return painted;
    },
  };
}
