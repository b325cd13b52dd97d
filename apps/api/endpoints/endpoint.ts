import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { z } from "zod";
import type { Format } from "../present/formats.ts";

/** One endpoint of the API, as it is served and documented. The type of its table gives the values of a request their types. */
export type Endpoint<Table extends ParameterTable = ParameterTable> = {
  /** Its name in generated clients, a verb: `listFundingRounds`. */
  operationId: string;
  /** With `{id}` in place of a value. */
  path: string;
  summary: string;
  description: string;
  parameters: Table;
  /** The meaning of `{id}`. */
  id?: { description: string; example: string };
  formats: readonly Format[];
  /** The JSON body; of an export, which has none, a row. */
  response: z.ZodType;
};
