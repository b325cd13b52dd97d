import { execFile } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Environment } from "./environment.ts";

/** Another commit of the project, checked out with its dependencies. */
export type Reference = {
  name: string;
  project: string;
  /** It has engines of its own, with data loaded by its own code: for a commit that stores other documents. */
  ownEngines: boolean;
};

const run = promisify(execFile);

/**
 * Checks a commit out into a git worktree in the benchmarks' home, where later runs find it again.
 * `ref`: whatever `git rev-parse` takes. Rejects when there is no such commit, or its dependencies cannot be installed.
 */
export async function checkOut(
  environment: Pick<Environment, "project" | "home" | "log">,
  ref: string,
  { ownEngines }: Pick<Reference, "ownEngines">,
): Promise<Reference> {
  const { project, home, log } = environment;
  const git = async (...args: string[]): Promise<string> => (await run("git", ["-C", project, ...args])).stdout.trim();
  const commit = await git("rev-parse", "--verify", "--quiet", `${ref}^{commit}`).catch(() => {
    throw new Error(`--against: '${ref}' is not a commit of this repository.`);
  });
  const name = commit.slice(0, 10);
  const folder = join(home, "commits", name);
  const installed = join(folder, "node_modules/.package-lock.json");
  if (!existsSync(installed)) {
    log(`checking ${name} out into ${folder}`);
    await git("worktree", "prune");
    if (!existsSync(folder)) await git("worktree", "add", "--detach", folder, commit);
    await run("npm", ["ci"], { cwd: folder, maxBuffer: 64 << 20 });
  }
  return { name, project: folder, ownEngines };
}

/** The same engines and data, with processes of the other commit. */
export const environmentAt = (environment: Environment, { project }: Reference): Environment => ({
  ...environment,
  project,
});

/**
 * Engines of its own for the other commit, beside those of `environment`, with the data of this size. Its own code starts and loads them.
 * Live indices of both have one segment afterwards. The caller closes it.
 */
export async function ownEnvironment(environment: Environment, { name, project }: Reference): Promise<Environment> {
  const { size, log } = environment;
  const home = join(environment.home, "commits", `${name}-engines`);
  mkdirSync(home, { recursive: true });
  const downloads = join(home, "downloads");
  if (!existsSync(downloads)) symlinkSync(join(environment.home, "downloads"), downloads);
  const { ELASTICSEARCH_URL: _elasticsearch, REDIS_URL: _redis, ...env } = environment.env;
  // Until 2026-11-29 the benchmarks were in `bench`.
  const folder = existsSync(join(project, "tools/bench")) ? "tools/bench" : "bench";
  const itsCode = (await import(
    join(project, folder, "environment/environment.ts")
  )) as typeof import("./environment.ts");
  const there = await itsCode.openEnvironment({ size, env: { ...env, TRANCHE_HOME: home }, log });
  await there.load({ records: false });
  await Promise.all([environment, there].map(mergeLive));
  return there;
}

/** Deleted documents and further segments, which earlier benchmarks have left on one of the two, make searches slower. */
async function mergeLive({ client, names }: Environment): Promise<void> {
  const index = READ_MODELS.map((model) => names.role(model, "live"));
  // The other commit may have fewer read models.
  await client.indices.forcemerge({ index, ignore_unavailable: true, max_num_segments: 1 });
}
