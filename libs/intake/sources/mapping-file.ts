import { readFileSync } from "node:fs";
import { BadMapping } from "../mapping/bad-mapping.ts";
import { assertAnswered, parseMapping } from "@tranche/intake/mapping/mapping";
import type { Mapping } from "@tranche/intake/mapping/schema";

/** The mapping of `--map`. Throws BadMapping that names everything wrong in it. */
export const readMapping = (path: string): Mapping => readMappingFile(path, `--map ${path}`).mapping;

/** A mapping file: as it is written, and checked. Throws BadMapping that names everything wrong in it. `named` is how it calls the file. */
export function readMappingFile(path: string, named: string): { content: object; mapping: Mapping } {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new BadMapping(`${named}: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
  const mapping = parseMapping(content, named);
  assertAnswered(mapping, named);
  return { content: content as object, mapping };
}

/** Errors of the parser say line and column; those of the system only a code. */
function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "is a folder, expected a file";
  return code === undefined ? message : `can't be read (${code})`;
}
