import type { Vocabulary } from "../mapping/rows.ts";
import type { Mapping } from "../mapping/schema.ts";
import { csvReader } from "./csv.ts";
import { mappedJsonReader } from "./mapped-json.ts";
import type { MappedReader } from "./source.ts";

/** The reader of a mapping's format. */
export const mappedReader = (mapping: Mapping, vocabulary: Vocabulary): MappedReader =>
  (mapping.format === "json" ? mappedJsonReader : csvReader)(mapping, vocabulary);
