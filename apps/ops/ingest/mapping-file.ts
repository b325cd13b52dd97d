import { readFileSync } from "node:fs";
import { assertAnswered, parseMapping } from "../mapping/mapping.ts";
import type { Mapping } from "../mapping/schema.ts";
import { WrongUsage } from "../terminal/failure.ts";

/** Reads a mapping file. Throws WrongUsage that names everything wrong in it. */
export function readMapping(path: string): Mapping {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new WrongUsage(`--map ${path}: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
  const mapping = parseMapping(content, `--map ${path}`);
  assertAnswered(mapping, `--map ${path}`);
  return mapping;
}

/** Errors of the parser say line and column; those of the system only a code. */
function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "is a folder, expected a file";
  return code === undefined ? message : `can't be read (${code})`;
}
