import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import { isList } from "@tranche/read-models/parameters/kinds/list";
import { z } from "zod";
import { valueSchema } from "../responses/envelopes.ts";

/** The description of a list: the questions that it answers. */
export type ListDescription = {
  filters: readonly { name: string; description: string; example: string | string[] }[];
  sorts: readonly string[];
  /** The names of the members of a row, which the argument `fields` takes. */
  fields: readonly string[];
};

export function describeList(table: ParameterTable): ListDescription {
  const filters = Object.entries(table).filter(([name, row]) => !row.unfiltered && name !== "sort");
  return {
    filters: filters.map(([name, { kind, description, example }]) => ({
      name,
      description,
      example: isList(kind) ? example.split(",") : example,
    })),
    sorts: z.toJSONSchema(valueSchema(table.sort!.kind)).enum as string[],
    fields: table.fields?.items ?? [],
  };
}

/** Its names alone. */
export const overviewOf = ({ filters, sorts }: ListDescription) => ({
  filters: filters.map(({ name }) => name),
  sorts,
});
