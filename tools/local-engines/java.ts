import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { runCommand } from "./command.ts";
import { engineUser } from "./data-folder.ts";

/** The version that Elasticsearch 9 needs. */
export const LEAST_JAVA = 21;

export type Java = { home: string; major: number };

/** Folders that hold one folder for each Java. */
const FOLDERS = [
  "/usr/lib/jvm",
  "/usr/java",
  "/opt",
  "/opt/java",
  "/usr/local/java",
  "/Library/Java/JavaVirtualMachines",
];
const FOLDERS_AT_HOME = [".sdkman/candidates/java", ".jdks", ".asdf/installs/java", "Library/Java/JavaVirtualMachines"];
const HOMEBREW = ["/opt/homebrew/opt", "/usr/local/opt"];

/** The major version in what `java -version` prints: 17 in `openjdk version "17.0.15"`, 8 in `"1.8.0_402"`. */
export function javaMajor(printed: string): number | undefined {
  const match = /version "(\d+)(?:\.(\d+))?/.exec(printed);
  if (!match) return undefined;
  return Number(match[1] === "1" && match[2] ? match[2] : match[1]);
}

/**
 * Looks for a Java that the engine's user can run and that is new enough: ES_JAVA_HOME, JAVA_HOME, PATH, the usual folders.
 * `tried` has every Java that was met on the way, for a message.
 */
export async function findJava(env: NodeJS.ProcessEnv): Promise<{ java?: Java; tried: Java[] }> {
  const tried: Java[] = [];
  for (const home of candidates(env)) {
    const { errors, output } = await runCommand(join(home, "bin/java"), ["-version"], {
      timeoutMs: 20_000,
      cwd: "/",
      ...engineUser(),
    });
    const major = javaMajor(errors) ?? javaMajor(output);
    if (major === undefined) continue;
    tried.push({ home, major });
    if (major >= LEAST_JAVA) return { java: { home, major }, tried };
  }
  return { tried };
}

function candidates(env: NodeJS.ProcessEnv): string[] {
  const onPath = (env["PATH"] ?? "").split(delimiter).filter((folder) => existsSync(join(folder, "java")));
  const homes = [
    env["ES_JAVA_HOME"],
    env["JAVA_HOME"],
    ...onPath.map((folder) => dirname(dirname(realpathSync(join(folder, "java"))))),
    ...[...FOLDERS, ...FOLDERS_AT_HOME.map((folder) => join(homedir(), folder))].flatMap(foldersIn),
    ...HOMEBREW.flatMap(foldersIn).filter((folder) => folder.includes("openjdk")),
  ];
  const found = homes
    .filter((home) => home !== undefined && home !== "")
    .flatMap((home) => [home!, join(home!, "Contents/Home"), join(home!, "libexec/openjdk.jdk/Contents/Home")])
    .filter((home) => existsSync(join(home, "bin/java")))
    .map((home) => realpathSync(home));
  return [...new Set(found)];
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}
