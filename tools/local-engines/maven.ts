import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "./command.ts";
import { logTail } from "./log-tail.ts";
import { runToEnd } from "./one-off-command.ts";
import type { SourceContext } from "./source.ts";

const PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1";
const FETCH_LIMIT_MS = 15 * 60_000;
const TELL_EVERY_MS = 60_000;

/** Whether there is a Maven that runs. */
export async function hasMaven(env: NodeJS.ProcessEnv): Promise<boolean> {
  return (await runCommand("mvn", ["--version"], { timeoutMs: 30_000, env })).ok;
}

/**
 * Unpacks an artifact (group:name:version:type) of the Maven repositories this machine uses into `folder`, with its modes.
 * Maven checks what it loads. The folder gets its name when it is complete; if it is there, nothing is fetched.
 * Rejects with what Maven says.
 */
export async function fetchArtifact(artifact: string, folder: string, context: SourceContext): Promise<void> {
  if (existsSync(folder)) return;
  mkdirSync(context.downloads, { recursive: true });
  // Whatever the umask: the engines may run as another user.
  chmodSync(context.downloads, 0o755);
  const part = mkdtempSync(`${folder}.part-`);
  const content = join(part, "content");
  const output = join(part, "maven.log");
  const begin = Date.now();
  const telling = setInterval(() => {
    context.log(`still fetching ${artifact} through Maven (${Math.round((Date.now() - begin) / 1000)} s)`);
  }, TELL_EVERY_MS);
  try {
    const args = [
      "--quiet",
      "--batch-mode",
      "-Dstyle.color=never",
      `${PLUGIN}:unpack`,
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${content}`,
    ];
    // Maven leaves its markers in a `target` of the working directory.
    const problem = await runToEnd(
      context.reaper,
      { command: "mvn", args, env: context.env, cwd: part, output, umask: 0o022 },
      FETCH_LIMIT_MS,
    );
    if (problem) throw new Error(`Maven could not fetch ${artifact} (${problem}):\n${mavenSays(output)}`);
    chmodSync(content, 0o755);
    // Two that fetch at the same time: the second to finish finds the folder there.
    if (!existsSync(folder)) renameSync(content, folder);
  } finally {
    clearInterval(telling);
    rmSync(part, { recursive: true, force: true });
  }
}

/** The first errors are the cause, what follows them is advice about Maven. */
function mavenSays(log: string): string {
  const lines = existsSync(log) ? readFileSync(log, "utf8").split("\n") : [];
  const errors = lines.filter((line) => line.includes("ERROR")).slice(0, 3);
  return errors.length > 0 ? errors.map((line) => `  ${line}`).join("\n") : logTail(log, 5);
}
