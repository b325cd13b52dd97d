import { readFileSync } from "node:fs";
import { z } from "zod";
import { WrongUsage } from "../terminal/failure.ts";
import { mappingProblems } from "./check.ts";
import { type Mapping, mappingSchema } from "./schema.ts";

const checkedSchema = mappingSchema.superRefine((mapping, context) => {
  for (const { path, message } of mappingProblems(mapping)) context.addIssue({ code: "custom", path, message });
});

/** Reads a mapping file. Throws WrongUsage that names everything wrong in it. */
export function readMapping(path: string): Mapping {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new WrongUsage(`--map ${path}: ${whyUnreadable(error as NodeJS.ErrnoException)}`);
  }
  return parseMapping(content, `--map ${path}`);
}

/** Errors of the parser say line and column; those of the system only a code. */
function whyUnreadable({ code, message }: NodeJS.ErrnoException): string {
  if (code === "ENOENT") return "there is no such file";
  if (code === "EISDIR") return "is a folder, expected a file";
  return code === undefined ? message : `can't be read (${code})`;
}

/** `name` stands before what is wrong. */
export function parseMapping(content: unknown, name = "mapping"): Mapping {
  const parsed = checkedSchema.safeParse(content);
  if (!parsed.success) throw new WrongUsage(`${name}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
