import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { createDoing } from "@tranche/operations/accounts/doing";
import { connectEngines } from "../../apps/ops/context/connect.ts";
import { operator } from "../../apps/ops/context/operator.ts";
import { opsSettings } from "../../apps/ops/context/settings.ts";
import { runOps } from "../../apps/ops/run.ts";
import { createTerminal } from "../../apps/ops/terminal/terminal.ts";
import { fromFolder, type Launch, PROJECT } from "./launch.ts";

export type OpsResult = { code: number | null; stdout: string; stderr: string };

type Call = {
  /** The settings; the environment of the test itself is not read. */
  environment: NodeJS.ProcessEnv;
  input?: string | undefined;
  /** Gets all that has been printed to stderr, whenever more is printed. */
  onError?: ((text: string) => void) | undefined;
};

/** Runs `ops` in this process to its end: a process of its own takes a second more. */
export async function callOps(args: readonly string[], { environment, input, onError }: Call): Promise<OpsResult> {
  const result: OpsResult = { code: null, stdout: "", stderr: "" };
  const stdout = writable((text) => (result.stdout += text));
  const stderr = writable((text) => {
    result.stderr += text;
    onError?.(result.stderr);
  });
  const stdin = Readable.from(input ? [Buffer.from(input)] : []);
  const onInterrupt = () => new AbortController().signal;
  result.code = await runOps(args, { stdin, stdout, stderr, environment: { ...environment }, onInterrupt });
  return result;
}

type Start = Omit<Call, "onError"> & {
  onError?: ((text: string, child: ChildProcess) => void) | undefined;
  /** Standard input stays open after `input`. */
  keepInput?: boolean | undefined;
  /** The folder in which the process works. */
  cwd?: string | undefined;
  /** How it starts, where it is not this code. */
  launch?: Launch | undefined;
};

/** Starts `ops` as a process and waits for its end: for what a process does, such as ending by a signal, and to measure or kill it. */
export async function spawnOps(args: readonly string[], start: Start): Promise<OpsResult> {
  const { environment, input = "", onError, keepInput, launch = fromFolder(), cwd = PROJECT } = start;
  const [command, ...given] = launch("ops", args, environment);
  const child = spawn(command, given, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const result: OpsResult = { code: null, stdout: "", stderr: "" };
  child.stdout.on("data", (chunk: Buffer) => (result.stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => {
    result.stderr += chunk.toString();
    onError?.(result.stderr, child);
  });
  if (keepInput) child.stdin.write(input);
  else child.stdin.end(input);
  await once(child, "close");
  result.code = child.exitCode;
  return result;
}

/** A key of a new account, made as `ops accounts create` makes it. */
export async function newKey(environment: NodeJS.ProcessEnv, plan: string): Promise<string> {
  const { stdin, stdout, stderr } = process;
  const engines = await connectEngines(
    opsSettings(environment, PROJECT),
    createTerminal({ stdin, stdout, stderr }, false),
  );
  try {
    const { accounts: store } = createDoing(engines)(operator());
    const { account } = await store.createAccount({ name: "Test", plan });
    return (await store.createKey({ account, name: "first key" })).key;
  } finally {
    await engines.close();
  }
}

function writable(onText: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, written) {
      onText(chunk.toString());
      written();
    },
  });
}
