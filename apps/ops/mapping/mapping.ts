import { z } from "zod";
import { WrongUsage } from "../terminal/failure.ts";
import { mappingProblems } from "./check.ts";
import { type Mapping, mappingSchema } from "./schema.ts";

const checkedSchema = mappingSchema.superRefine((mapping, context) => {
  for (const { path, message } of mappingProblems(mapping)) context.addIssue({ code: "custom", path, message });
});

/** `name` precedes the problem. */
export function parseMapping(content: unknown, name = "mapping"): Mapping {
  const parsed = checkedSchema.safeParse(content);
  if (!parsed.success) throw new WrongUsage(`${name}:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
