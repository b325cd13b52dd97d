import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import { isEngineError } from "@tranche/shared/engines/search/client";
import { SettingsError } from "@tranche/shared/process/settings";
import { closedIndexText } from "./closed-index.ts";
import { WrongUsage } from "./failure.ts";

/** Errors that the caller can mend. */
const WRONG_USAGE = [WrongUsage, SettingsError, BadMapping];

/** An error as people read it, and whether the call or the settings caused it. */
export function reportOf(error: Error): { message: string; wrongUsage: boolean } {
  const text = error.message || error.name;
  // Elasticsearch's own texts span several lines and do not name their source.
  const fromEngine = isEngineError(error) ? `Elasticsearch could not answer: ${text.replaceAll(/\s+/g, " ")}` : text;
  const message = closedIndexText(text) ?? fromEngine;
  return { message, wrongUsage: WRONG_USAGE.some((kind) => error instanceof kind) };
}
