import { z } from "zod";

/** Schemas of the values that several answers have. */

export const text = z.string().nullable();
export const count = z.int().min(0);
export const score = z.int().min(0).max(100);
export const day = z.iso.date();
export const time = z.iso.datetime().meta({ description: "The newest change of a record in the row." });
export const dollars = z.number().min(0).nullable().meta({ description: "US dollars; null when undisclosed." });
