import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { createRows } from "../responses/rows.ts";
import type { Endpoint } from "./endpoint.ts";
import { listEndpoints, listTables } from "./lists.ts";
import { lookUpEndpoints } from "./look-ups.ts";
import { statsEndpoints } from "./stats.ts";
import { streamEndpoints } from "./streams.ts";

/** Every endpoint that returns data, in the order of the docs. */
export function createEndpoints(dealTypes: DealTypes) {
  const rows = createRows(dealTypes);
  const tables = listTables(dealTypes, rows);
  const { companiesExport, ...streams } = streamEndpoints(tables, rows);
  return Object.freeze({
    ...listEndpoints(tables, rows),
    // Before the records: `export` is none of their ids.
    ...streams,
    ...statsEndpoints(tables),
    companiesExport,
    ...lookUpEndpoints(rows),
  } satisfies Record<string, Endpoint>);
}

export type Endpoints = ReturnType<typeof createEndpoints>;
