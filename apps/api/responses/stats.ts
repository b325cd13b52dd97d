import { z } from "zod";
import { count, dollars } from "../present/scalars.ts";
import type { Parameter, ParameterTable } from "@tranche/read-models/parameters/parameter";
import { filtersApplied, valueSchema, warnings } from "./envelopes.ts";

type StatsTable = ParameterTable & { group_by: Parameter<string[]> };

// Not a tuple: openapi-python-client can't read the schema of one.
const orPair = <T extends z.ZodType>(value: T) => z.union([value, z.array(value).length(2)]);
const text = z.string().nullable();

const group = {
  key: orPair(text).meta({ description: "Null where the value is missing; a pair with two dimensions." }),
  name: orPair(text).meta({ description: "The key as people write it." }),
  id: orPair(text).meta({ description: "The id of a company or an investor, null for everything else." }),
  filters: z.record(z.string(), z.string()).nullable().meta({
    description:
      "The parameters that select the group; they take the place of those of the request. Null when the list has none that do.",
  }),
  count: count.meta({ description: "Rows, exact." }),
  share: z.number().min(0).max(1).meta({ description: "Of the total count." }),
};

const fundingFigures = {
  companies: count.meta({ description: "Different companies." }),
  disclosed: count.meta({ description: "Rounds with a disclosed amount." }),
  total_amount_usd: dollars,
  average_amount_usd: dollars.meta({ description: "Of the disclosed amounts, to the cent." }),
  median_amount_usd: dollars.meta({ description: "The mean of the two middle ones if their number is even." }),
  max_amount_usd: dollars,
};

const signalsFigures = {
  average_score: z.number().min(0).max(100).nullable(),
  total_raised_usd: dollars.meta({ description: "Sum over the companies; null when none has a disclosed amount." }),
};

function stats<Group extends z.ZodRawShape, Rest extends z.ZodRawShape>(
  noun: string,
  figures: Group,
  other: Rest,
  table: StatsTable,
) {
  const dimension = (valueSchema(table.group_by.kind) as z.ZodArray).element;
  return z
    .strictObject({
      data: z
        .array(z.strictObject({ ...group, ...figures }).meta({ id: `${noun}Group` }))
        .meta({ description: "Empty without `group_by`." }),
      total: z.strictObject({ count, ...figures }).meta({ description: "The same figures over everything." }),
      other: z
        .strictObject({ groups: count, count, ...other })
        .nullable()
        .meta({ description: "What `limit` leaves out; null if nothing." }),
      group_by: z.array(dimension).max(2),
      multi_valued: z
        .array(dimension)
        .meta({ description: "Dimensions in which one row can count under several groups." }),
      approximate: z
        .record(z.string(), z.number().min(0).max(0.02))
        .meta({ description: "Figures that may be approximate in large groups, with their typical relative error." }),
      filters_applied: filtersApplied(table, `${noun}StatsFilters`),
      warnings,
    })
    .meta({ id: `${noun}Stats` });
}

export const fundingStats = (table: StatsTable) =>
  stats("Funding", fundingFigures, { disclosed: count, total_amount_usd: dollars }, table);

export const signalsStats = (table: StatsTable) =>
  stats("Signals", signalsFigures, { total_raised_usd: dollars }, table);
