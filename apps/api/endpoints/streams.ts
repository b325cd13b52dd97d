import { changesParameters, type ChangesTable } from "@tranche/read-models/parameters/changes";
import { exportParameters, type ExportTable } from "@tranche/read-models/parameters/export";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { z } from "zod";
import { EXPORT_FORMATS, JSON_ONLY } from "../present/formats.ts";
import * as changes from "../responses/changes.ts";
import type { Rows } from "../responses/rows.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ListTables } from "./lists.ts";

/** The exports of the lists, and the feeds of their changes. */
export function streamEndpoints({ funding, signals, companies, investors }: ListTables, rows: Rows) {
  return {
    fundingExport: exportOf("exportFundingRounds", "/api/v1/funding", "funding rounds", funding, rows.fundingRow),
    signalsExport: exportOf("exportSignals", "/api/v1/signals", "companies by signal", signals, rows.signalsRow),
    fundingChanges: changesOf({
      operationId: "listFundingChanges",
      list: "/api/v1/funding",
      what: "funding rounds",
      parameters: funding,
      response: changes.fundingChanges(rows),
    }),
    signalsChanges: changesOf({
      operationId: "listSignalChanges",
      list: "/api/v1/signals",
      what: "companies by signal",
      parameters: signals,
      response: changes.signalsChanges(rows),
    }),
    investorsExport: exportOf("exportInvestors", "/api/v1/investors", "investors", investors, rows.investorRow),
    companiesExport: exportOf("exportCompanies", "/api/v1/companies", "companies", companies, rows.companyRow),
  } satisfies Record<string, Endpoint>;
}

/** The export of a list. `row`: a line of its NDJSON. */
function exportOf(
  operationId: string,
  list: string,
  rows: string,
  parameters: ParameterTable,
  row: z.ZodType,
): Endpoint<ExportTable> {
  return {
    operationId,
    path: `${list}/export`,
    summary: `Export ${rows}`,
    description:
      "Streams every row that the list with the same filters has, from one point in time, in the order of the ids. NDJSON has one JSON object per line, as in the list; CSV has the flat columns. Costs one request of your quota for each 1,000 rows begun. An export that can't be finished is cut off: the connection breaks. Two run at a time per account.",
    parameters: exportParameters(parameters),
    formats: EXPORT_FORMATS,
    response: row,
  };
}

/** The feed of a list's changes. */
function changesOf({
  operationId,
  list,
  what,
  parameters,
  response,
}: Pick<Endpoint, "operationId" | "parameters" | "response"> & { list: string; what: string }): Endpoint<ChangesTable> {
  const path = `${list}/changes`;
  return {
    operationId,
    path,
    summary: `Follow changes of ${what}`,
    description:
      "For callers who keep a copy: the rows that were added to the list with the same filters, changed on it or left it since a position, in the order of the changes. Apply the pages in order from `since=start`, and you have exactly the list. Nothing is missed; something may come twice. `upsert` has the row as the list shows it; `remove` may name a row that you never had. An empty page costs no quota. A position that is not used for 30 days expires.",
    parameters: changesParameters(parameters),
    formats: JSON_ONLY,
    response,
  };
}
