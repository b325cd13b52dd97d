import { readFileSync } from "node:fs";

type Environment = Record<string, string | undefined>;

/** The variable that names the file of a secret setting. */
export const fileVariable = (name: string): string => `${name}_FILE`;

/**
 * Replaces each `NAME_FILE` of the given settings by `NAME` with the file's content, without the newline at its end. A file keeps a secret
 * out of the process list, of `docker inspect` and of crash reports.
 * @returns the environment, and a text for each file that can't be used
 */
export function readSecretFiles(
  environment: Environment,
  names: readonly string[],
): { environment: Environment; problems: string[] } {
  const completed = { ...environment };
  const problems: string[] = [];
  for (const name of names) {
    const variable = fileVariable(name);
    const file = environment[variable];
    delete completed[variable];
    if (!file) continue;
    if (environment[name]) {
      problems.push(`${name} and ${variable} are both set. Remove one of them.`);
      continue;
    }
    const read = readSecret(file);
    if ("secret" in read) completed[name] = read.secret;
    else problems.push(`${variable} ${file}: ${read.problem}. Expected a file with the value of ${name} on one line.`);
  }
  return { environment: completed, problems };
}

function readSecret(file: string): { secret: string } | { problem: string } {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return { problem: "there is no such file" };
    if (code === "EACCES") return { problem: "this process may not read it" };
    if (code === "EISDIR") return { problem: "it is a folder" };
    return { problem: message };
  }
  const secret = content.replace(/\r?\n$/, "");
  if (secret === "") return { problem: "the file is empty" };
  if (/[\r\n]/.test(secret)) return { problem: "the file has more than one line" };
  return { secret };
}
