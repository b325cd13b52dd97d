import { fileURLToPath } from "node:url";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";

export type Program = "api" | "indexer" | "operators" | "dashboard" | "ops";

/** The command that starts a program of some version with these settings: its name, then its arguments. */
export type Launch = (
  program: Program,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
) => readonly [string, ...string[]];

export const PROJECT = fileURLToPath(new URL("../../", import.meta.url));

/** The code in a folder; without one, this code. */
export const fromFolder =
  (folder: string = PROJECT): Launch =>
  (program, args) => [
    process.execPath,
    ...(program === "ops" ? [] : NODE_FLAGS),
    `${folder.replace(/\/$/, "")}/apps/${program}/main.ts`,
    ...args,
  ];

/** What names places on this machine. */
const OF_THIS_MACHINE = new Set(["PATH", "HOME", "NODE_COMPILE_CACHE"]);

/** A container of an image, on the network of this machine. Docker's client hands signals on, and ends with it. */
export const fromImage =
  (image: string): Launch =>
  (program, args, env) => {
    // The image names a port for health checks, which two containers on one network can't both have.
    const settings = Object.entries({ TRANCHE_INDEXER_PORT: "0", ...env }).flatMap(([name, value]) =>
      OF_THIS_MACHINE.has(name) || value === undefined ? [] : ["--env", `${name}=${value}`],
    );
    return ["docker", "run", "--rm", "--interactive", "--network=host", ...settings, image, program, ...args];
  };
