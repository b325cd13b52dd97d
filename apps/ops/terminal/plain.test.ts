import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { plain, plainJson, plainLine } from "./plain.ts";
import { createTerminal } from "./terminal.ts";

const NASTY = "a\u001b]0;pwned\u0007\u001b[2J\u009b31m\r\u202eb\u2028c\u007f";
const SHOWN = String.raw`a\u001b]0;pwned\u0007\u001b[2J\u009b31m\u000d\u202eb\u2028c\u007f`;

test("escape sequences and what hides or turns text are shown as what they are", () => {
  expect(plain(NASTY)).toBe(SHOWN);
  expect(plain("a\n\tb é \u{1f600}")).toBe("a\n\tb é \u{1f600}");
  expect(plainLine("a\nb")).toBe(String.raw`a\u000ab`);
  expect(plain("\u001b[31mred\u001b[8mhidden", new Set(["\u001b[31m"]))).toBe("\u001b[31mred\\u001b[8mhidden");
});

test("JSON keeps its value", () => {
  expect(plainJson({ a: NASTY })).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
  expect(JSON.parse(plainJson({ a: NASTY }))).toEqual({ a: NASTY });
});

test("nothing that a command prints gets through to the terminal, whichever way it prints it", () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  for (const json of [false, true]) {
    const terminal = createTerminal({ stdin, stdout, stderr }, json);
    terminal.show({ name: NASTY }, NASTY);
    terminal.tell(NASTY);
    terminal.warn(NASTY);
    terminal.fail(NASTY);
    terminal.show({}, terminal.paint("red", NASTY));
  }
  const printed = `${stdout.read()}${stderr.read()}`;
  expect(printed).toContain(SHOWN);
  expect(printed.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}]/u);
});

test("the command's own colours stay", () => {
  const stdout = new PassThrough();
  const streams = { stdin: new PassThrough(), stdout, stderr: new PassThrough() };
  process.env["FORCE_COLOR"] = "1";
  try {
    const terminal = createTerminal(streams, false);
    terminal.show({}, `${terminal.paint("red", "bad\u001b[2J")} \u001b[32m`);
  } finally {
    delete process.env["FORCE_COLOR"];
  }
  expect(String(stdout.read())).toBe("\u001b[31mbad\\u001b[2J\u001b[39m \\u001b[32m\n");
});
