import { fork } from "node:child_process";
import { join } from "node:path";
import { teardown, type TeardownStep } from "./teardown.ts";

export type ProcessSpec = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string | undefined;
  uid?: number | undefined;
  gid?: number | undefined;
  /** Which rights the files it makes do not get; default: this process's. */
  umask?: number;
  /** A file that output is added to, or `inherit`: this process's own output, or `capture`: reported with the end. */
  output: string;
  /** How long it may take to end after SIGTERM, before SIGKILL. */
  graceMs: number;
  /** Gives a Node process a channel whose 'disconnect' says that it is alone. */
  channel?: boolean;
};

export type Ended = { code: number | null; signal: string | null; error?: string; output?: string; errors?: string };
export type Running = { pid: number; ended: Promise<Ended> };
type CleanUp = Exclude<TeardownStep, { kind: "process" }>;

export type ToReaper =
  | { order: "run"; id: number; process: ProcessSpec }
  | { order: "teardown"; step: CleanUp }
  | { order: "stop" };
export type FromReaper = { news: "started"; id: number; pid: number } | ({ news: "ended"; id: number } & Ended);

/** Owner of processes and clean-ups that end with this process, however it ends. */
export type Reaper = {
  pid: number;
  /** Starts a process in a group of its own. Rejects if it cannot be started; `ended` never rejects. */
  run(what: ProcessSpec): Promise<Running>;
  /** Says what is to be done at the end. The last thing said or started is ended first. */
  onTeardown(step: CleanUp): void;
  /** Ends everything and waits for it. Safe to call again. */
  stop(): Promise<void>;
};

type Awaited = { started: (pid: number) => void; ended: (how: Ended) => void };

/** Starts the reaper process, see `reaper-process.ts`. */
export function startReaper(): Reaper {
  const child = fork(join(import.meta.dirname, "reaper-process.ts"), [], {
    detached: true,
    execArgv: [],
    cwd: "/",
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  // A second list of what runs: should the reaper itself be killed, this process does its work.
  const steps: TeardownStep[] = [];
  const awaited = new Map<number, Awaited>();
  let count = 0;
  let stopping = false;

  child.on("message", (message: FromReaper) => {
    if (message.news === "started") awaited.get(message.id)?.started(message.pid);
    else awaited.get(message.id)?.ended(message);
  });
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => {
      const rest = stopping ? Promise.resolve() : teardown(steps);
      void rest.then(() => {
        for (const each of awaited.values())
          each.ended({ code: null, signal: null, error: "its reaper process was killed" });
        resolve();
      });
    });
  });

  const send = (message: ToReaper): void => {
    if (child.connected) child.send(message);
  };

  return {
    pid: child.pid!,
    run(what) {
      const id = count++;
      return new Promise((resolve, reject) => {
        let step: TeardownStep | undefined;
        const ended = new Promise<Ended>((end) => {
          awaited.set(id, {
            started: (pid) => {
              step = { kind: "process", pid, graceMs: what.graceMs };
              steps.push(step);
              resolve({ pid, ended });
            },
            ended: (how) => {
              awaited.delete(id);
              if (step && !stopping && steps.includes(step)) steps.splice(steps.indexOf(step), 1);
              if (!step) reject(new Error(`Cannot start ${what.command}: ${how.error ?? "ended at once"}`));
              end(how);
            },
          });
        });
        send({ order: "run", id, process: what });
      });
    },
    onTeardown(step) {
      steps.push(step);
      send({ order: "teardown", step });
    },
    stop() {
      if (!stopping && child.exitCode === null && child.signalCode === null) {
        stopping = true;
        send({ order: "stop" });
      }
      return gone;
    },
  };
}
