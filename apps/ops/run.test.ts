import { Readable, Writable } from "node:stream";
import { expect, test } from "vitest";
import { runOps } from "./run.ts";

function captured() {
  let text = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, written) {
      text += chunk.toString();
      written();
    },
  });
  return { stream, text: () => text };
}

/** Runs a command that needs no engine in this process. */
async function ops(args: string[], environment: NodeJS.ProcessEnv = {}) {
  const [out, err] = [captured(), captured()];
  const code = await runOps(args, {
    stdin: Readable.from([]),
    stdout: out.stream,
    stderr: err.stream,
    environment,
    onInterrupt: () => new AbortController().signal,
  });
  return { code, out: out.text(), err: err.text() };
}

test("help and the version go to the standard output of the call", async () => {
  expect(await ops(["status", "--help"])).toEqual({
    code: 0,
    out: expect.stringMatching(/^Usage: ops status/) as string,
    err: "",
  });
  expect(await ops(["--version"])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  });
});

test("a wrong call is reported on its standard error, with help, and gives 2", async () => {
  const ran = await ops(["ingst"]);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toMatch(/^error: unknown command 'ingst'/);
  expect(ran.err).toContain("run with --help for usage");
});

test("a throttle without a limit is a wrong call, which needs no engine to say so", async () => {
  const ran = await ops(["accounts", "throttle", "--account", "Acme", "--reason", "a loop"]);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toContain("--burst, --quota: Give a limit");
});

test("calls at the same time have the settings of their own environments", async () => {
  const days = ["yesterday", "tomorrow"];
  const ran = await Promise.all(days.map((day) => ops(["status", "--json"], { TRANCHE_NOW: day })));
  for (const [at, day] of days.entries()) {
    expect(ran[at]!.code).toBe(2);
    expect(ran[at]!.err).toContain(`TRANCHE_NOW is '${day}'`);
    expect(JSON.parse(ran[at]!.out)).toMatchObject({ error: { message: expect.stringContaining(day) as string } });
  }
});
