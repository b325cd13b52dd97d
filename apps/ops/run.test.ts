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

test("an option of a group is refused behind the name of a command that would not use it", async () => {
  const ran = await ops(["reindex", "status", "--wait"]);
  expect(ran).toMatchObject({ code: 2, out: "" });
  expect(ran.err).toMatch(/^error: --wait is for `ops reindex` alone; leave it out of status/);
});

test("help marks what is needed, shows the options of `ops` alone as global, and has no lines of its own width", async () => {
  expect((await ops(["accounts", "throttle", "--help"])).out).toMatch(/--reason <text>[^-]*\(required\)/);
  expect((await ops(["accounts", "throttle", "--help"])).out).not.toMatch(/--burst <requests>[^-]*\(required\)/);
  expect((await ops(["reindex", "status", "--help"])).out).not.toContain("--wait");
  expect((await ops(["ingest", "--help"])).out).toContain("gzip; `-` is standard input.");
});

test("without a command, --json has a document that says so", async () => {
  const ran = await ops(["--json"]);
  expect(ran.code).toBe(2);
  expect(JSON.parse(ran.out)).toEqual({ error: { message: "Name a command: `ops --help` lists them." } });
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
