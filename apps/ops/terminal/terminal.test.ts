import { PassThrough } from "node:stream";
import { WriteStream } from "node:tty";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createTerminal } from "./terminal.ts";

const RED = "\u001b[31m";

/** The output of a command to a terminal, or to a pipe. */
function printed(options: { tty: boolean; json?: boolean }): string {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const getColorDepth = () => WriteStream.prototype.getColorDepth();
  const stderr = Object.assign(new PassThrough(), options.tty ? { isTTY: true, getColorDepth } : {});
  const terminal = createTerminal({ stdin, stdout, stderr }, options.json ?? false);
  terminal.fail("it broke");
  return String(stderr.read());
}

beforeEach(() => {
  vi.stubEnv("TERM", "xterm-256color");
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", undefined);
  // Node takes the terminal of a CI that it does not know for one without colours.
  vi.stubEnv("CI", undefined);
});
afterEach(() => void vi.unstubAllEnvs());

test("errors stand out on a terminal, and are plain in a pipe and with --json", () => {
  expect(printed({ tty: true })).toContain(RED);
  expect(printed({ tty: false })).toBe("error: it broke\n");
  expect(printed({ tty: true, json: true })).toBe("error: it broke\n");
});

test("NO_COLOR is honoured on a terminal, FORCE_COLOR in a pipe", () => {
  vi.stubEnv("NO_COLOR", "1");
  expect(printed({ tty: true })).toBe("error: it broke\n");
  vi.stubEnv("NO_COLOR", undefined);
  vi.stubEnv("FORCE_COLOR", "1");
  expect(printed({ tty: false })).toContain(RED);
});

describe("asking", () => {
  const onTerminal = (json: boolean, isTTY = true) => {
    const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
    Object.assign(stdin, { isTTY });
    Object.assign(stderr, { isTTY: true });
    let shown = "";
    stderr.on("data", (text) => void (shown += String(text)));
    return { stdin, terminal: createTerminal({ stdin, stdout, stderr }, json), shown: () => shown };
  };

  test("on a terminal the answer is the line that is typed; control characters of the question are shown", async () => {
    const { stdin, terminal, shown } = onTerminal(false);
    const answer = terminal.ask!("Which \u001b[2J one?\n> ");
    stdin.write("the first\n");
    expect(await answer).toBe("the first");
    expect(shown()).toContain("Which \\u001b[2J one?\n> ");
  });

  test("at the end of the input it is interrupted", async () => {
    const { stdin, terminal } = onTerminal(false);
    const answer = terminal.ask!("Which?");
    stdin.end();
    await expect(answer).rejects.toThrow("Stopped: nothing was enqueued.");
  });

  test("elsewhere nobody is asked", () => {
    expect(onTerminal(true).terminal.ask).toBeUndefined();
    expect(onTerminal(false, false).terminal.ask).toBeUndefined();
  });
});
