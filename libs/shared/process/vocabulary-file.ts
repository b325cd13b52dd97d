import { readFileSync } from "node:fs";
import { z } from "zod";
import { DEAL_TYPES, type DealTypes, dealTypes } from "../domain/vocabulary/deal-types.ts";
import { SettingsError } from "./settings.ts";

const word = z.string().regex(/^[a-z][a-z0-9_]*$/, "expected a word such as royalty_financing");
const schema = z.strictObject({ types: z.array(word).default([]), aliases: z.record(word, word).default({}) });

/** The vocabulary of deal types, with the additions of the operator's file if there is one. Throws a SettingsError. */
export function readDealTypes(file: string | undefined): DealTypes {
  if (file === undefined) return dealTypes();
  const fail = (reason: string): never => {
    throw new SettingsError(`TRANCHE_VOCABULARY_FILE ${file}: ${reason}`);
  };
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    return fail((error as Error).message);
  }
  const parsed = schema.safeParse(content);
  if (!parsed.success) return fail(z.prettifyError(parsed.error));
  const known = new Set([...DEAL_TYPES, ...parsed.data.types]);
  for (const [alias, target] of Object.entries(parsed.data.aliases)) {
    if (!known.has(target)) fail(`the alias '${alias}' maps to '${target}', which is not a deal type`);
  }
  return dealTypes(parsed.data);
}
