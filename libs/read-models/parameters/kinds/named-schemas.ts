import { SIGNAL_KEYS } from "@tranche/shared/domain/signals/catalogue";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { z } from "zod";

/*
 * Schemas of closed vocabularies, used by parameters and by responses alike. Each has a name in the OpenAPI document, so that
 * generated clients have one type for it.
 */

export const countryCodeSchema: z.ZodType<string, string> = z
  .string()
  .regex(/^[A-Z]{2}$/)
  .meta({ id: "CountryCode", description: "ISO 3166-1 alpha-2." });

export const signalKeySchema: z.ZodType<string, string> = z
  .enum(SIGNAL_KEYS as readonly [string, ...string[]])
  .meta({ id: "SignalKey", description: "A signal of the catalogue." });

const OF_VOCABULARY = new WeakMap<DealTypes, z.ZodType<string, string>>();

/** The schema of a vocabulary's deal types; the same object each time, because a document can have only one schema of a name. */
export function dealTypeSchema(vocabulary: DealTypes): z.ZodType<string, string> {
  const known = OF_VOCABULARY.get(vocabulary);
  if (known) return known;
  const schema = z
    .enum(vocabulary.words as [string, ...string[]])
    .meta({ id: "DealType", description: "The type of a funding round." });
  OF_VOCABULARY.set(vocabulary, schema);
  return schema;
}
