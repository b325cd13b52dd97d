import { z } from "zod";
import { SHOWN } from "@tranche/read-models/parameters/kinds/kind";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { Pagination } from "../present/pagination.ts";
import type { Warning } from "@tranche/read-models/parameters/warning";
import { count } from "../present/scalars.ts";
import { flatCompanyRow, flatSignalsRow, type Rows } from "./rows.ts";

export const pagination = z
  .strictObject({
    count: count.meta({ description: "Number of all matching rows, exact." }),
    limit: z.int().min(1).meta({ description: "Page size used." }),
    offset: count.nullable().meta({ description: "Rows skipped. Null for a page after a cursor." }),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().meta({
      description: "Send it as `cursor`, with the same filters and `sort`, for the next page. Null at the end.",
    }),
  })
  .meta({ id: "Pagination" }) satisfies z.ZodType<Pagination>;

const WARNING_CODES = ["limit_capped", "unknown_value", "more_warnings", "list_truncated", "periods_left_out"] as const;

export const warning = z
  .strictObject({ code: z.enum(WARNING_CODES), message: z.string(), parameter: z.string() })
  .meta({ id: "Warning" }) satisfies z.ZodType<Warning>;

export const warnings = z
  .array(warning)
  .min(1)
  .optional()
  .meta({ description: "Present only when there is a warning." });

/** The table of a list: it has an order. */
type Sorted = Required<Pick<ParameterTable, "sort">>;

/** `filters_applied`: the filters as sent, normalised, and the order in force. */
export function filtersApplied(table: ParameterTable, name: string) {
  const rows = Object.entries(table).filter(([parameter, row]) => !row.unfiltered && parameter !== "sort");
  return z
    .strictObject({
      ...Object.fromEntries(
        rows.map(([parameter, row]) => [parameter, (SHOWN.get(row.kind) ?? valueSchema(row.kind)).optional()]),
      ),
      ...(table.sort ? { sort: valueSchema(table.sort.kind) } : {}),
    })
    .meta({
      id: name,
      description: "The parameters that were sent, normalised, and the order. Sending them back gives the same result.",
    });
}

/** The schema of a kind's value, apart from how it is read. */
export function valueSchema(kind: z.ZodType): z.ZodType {
  return kind instanceof z.ZodCodec ? (kind.def.out as z.ZodType) : kind;
}

export function fundingList(table: ParameterTable & Sorted, { fundingRow }: Rows) {
  return z
    .strictObject({
      data: z.array(fundingRow),
      pagination,
      filters_applied: filtersApplied(table, "FundingFilters"),
      sort_options: z.array(valueSchema(table.sort.kind)),
      warnings,
    })
    .meta({ id: "FundingList" });
}

export function signalsList(table: ParameterTable & Sorted, { signalsRow }: Rows) {
  return z
    .strictObject({
      data: z
        .union([z.array(signalsRow), z.array(flatSignalsRow)])
        .meta({ description: "Flat rows with `format=flat`." }),
      signal_keys: z.array(z.string()).meta({ description: "All keys of the catalogue, sorted." }),
      pagination,
      filters_applied: filtersApplied(table, "SignalsFilters"),
      sort_options: z.array(valueSchema(table.sort.kind)),
      warnings,
    })
    .meta({ id: "SignalsList" });
}

export function investorsList(table: ParameterTable & Sorted, { investorRow }: Rows) {
  return z
    .strictObject({
      data: z.array(investorRow),
      pagination,
      filters_applied: filtersApplied(table, "InvestorsFilters"),
      sort_options: z.array(valueSchema(table.sort.kind)),
      warnings,
    })
    .meta({ id: "InvestorsList" });
}

export function companiesList(table: ParameterTable & Sorted, { companyRow }: Rows) {
  return z
    .strictObject({
      data: z
        .union([z.array(companyRow), z.array(flatCompanyRow)])
        .meta({ description: "Flat rows with `format=flat`." }),
      pagination,
      filters_applied: filtersApplied(table, "CompaniesFilters"),
      sort_options: z.array(valueSchema(table.sort.kind)),
      warnings,
    })
    .meta({ id: "CompaniesList" });
}
