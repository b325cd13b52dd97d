import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { z } from "zod";

/** The contents of `running.json` in the home of a running `npm start`. */
const running = z.object({
  pid: z.int().positive(),
  /** One address, or several separated by commas. */
  elasticsearchUrl: z.string().min(1),
  redisUrl: z.url(),
  namespace: z.string().nullish(),
  apiUrl: z.url().nullish(),
  operatorUrl: z.url().nullish(),
  dashboardUrl: z.url().nullish(),
  /** Its fixed clock, an ISO time; null when it has today's. */
  now: z.string().nullish(),
  /** The key of webhooks' secrets, and where they may be sent. */
  webhookKey: z.string().nullish(),
  webhookTargets: z.string().nullish(),
});
export type Running = z.output<typeof running>;

/** A short, stable name for a path. */
export function pathHash(path: string): string {
  return createHash("sha256").update(path).digest("hex").slice(0, 8);
}

/** The home of a project whose folder the engines' user cannot reach. */
export function remoteHome(project: string): string {
  return join("/var/lib/tranche", `${basename(project)}-${pathHash(project)}`);
}

/** Where `npm start` may keep its engines and data: TRANCHE_HOME alone when it is given. */
export function possibleHomes(given: string | undefined, project: string): string[] {
  return given ? [resolve(given)] : [join(project, ".tranche"), remoteHome(project)];
}

/** The `npm start` that runs in one of these homes; undefined when none does. The lock of a dead one is ignored. */
export function findRunning(homes: readonly string[]): Running | undefined {
  for (const home of homes) {
    const found = readRunning(join(home, "running.json"));
    if (found && isAlive(found.pid)) return found;
  }
  return undefined;
}

function readRunning(file: string): Running | undefined {
  try {
    return running.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
