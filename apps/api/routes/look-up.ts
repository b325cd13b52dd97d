import type { FundingDocument, FundingRow } from "@tranche/read-models/documents/funding";
import { REGISTRY } from "@tranche/read-models/documents/registry";
import { rowOf } from "@tranche/read-models/documents/row-text";
import { FUNDING_SORTS } from "@tranche/read-models/parameters/funding";
import { pageOf } from "@tranche/read-models/parameters/page";
import { readPathPart } from "@tranche/read-models/parameters/query-string";
import { applyPreference, readRequest } from "./request.ts";
import { ONE_OF_OWN } from "../admission/admit.ts";
import { answerOf } from "../present/answer.ts";
import { linkHeader } from "../present/link.ts";
import { nextCursor } from "../present/next-cursor.ts";
import { pagination } from "../present/pagination.ts";
import type { Filter } from "@tranche/read-models/query/filters";
import { LISTED, type Page } from "@tranche/read-models/query/list-query";
import type { RowPosition } from "@tranche/read-models/query/row-position";
import type { Warning } from "@tranche/read-models/parameters/warning";
import type { Serve } from "../serve/call.ts";
import { leaving } from "../serve/leaving.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { ApiParts } from "./parts.ts";

/** The caller, and the signal that the caller has left. */
export type Asking = { account: string; left: () => AbortSignal };
/** The request of a look-up. `provenance`: the caller sees where the record comes from. */
export type LookUpRequest = { id: string; page: Page; asking: Asking; provenance: boolean };
/** Its result: members of the body, and for paging the number of rounds and the position of the page's last one if more follow. */
export type LookUpResult = {
  data: unknown;
  rounds?: { count: number; next: RowPosition | undefined };
  warnings?: Warning[];
};

/** The order of a record's rounds. */
const NEWEST_FIRST = "announced_date_desc";

/** Serves a request for one record, or for a vocabulary. */
export function serveLookUp(
  endpoint: Endpoint,
  find: (request: LookUpRequest) => Promise<LookUpResult>,
  parts: ApiParts,
): Serve {
  const paged = "limit" in endpoint.parameters;
  // The position of the id; without one, the end of the path.
  const beforeId = endpoint.path.replace("{id}", "").length;
  return async (call) => {
    await parts.identify(call);
    const id = readPathPart("id", call.path.slice(beforeId));
    const path = endpoint.path.slice(0, beforeId) + encodeURIComponent(id.text);
    const list = { path, parameters: endpoint.parameters, sort: NEWEST_FIRST, order: FUNDING_SORTS[NEWEST_FIRST] };
    const request = readRequest(call, endpoint, {
      ofPath: id.problems,
      ...(paged ? { list: () => list } : {}),
    });
    applyPreference(call, request);
    const { account, plan } = await parts.admit(call, request.refusal, ONE_OF_OWN);
    const { page, warnings } = pageOf(request.values, plan);
    const found = await find({
      id: id.text,
      page,
      asking: { account, left: () => leaving(call) },
      provenance: plan.provenance,
    });
    const all = [...warnings, ...(found.warnings ?? [])];
    const { count = 0, next: position } = found.rounds ?? {};
    const next = nextCursor(path, { sort: NEWEST_FIRST }, position);
    const withLimit = request.values.limit !== undefined;
    const link = linkHeader(parts.publicPath + path, "", page, withLimit, { count, next });
    const body = {
      data: found.data,
      ...(paged ? { pagination: pagination(count, page, next) } : {}),
      ...(all.length > 0 ? { warnings: all } : {}),
    };
    return answerOf("json", JSON.stringify(body), paged ? { Link: link } : {});
  };
}

/** A page of the rounds that match the filters, newest first, and their number. */
export async function roundsPage(
  parts: ApiParts,
  filters: Filter[],
  page: Page,
): Promise<{ rows: FundingRow[]; rounds: { count: number; next: RowPosition | undefined } }> {
  const index = parts.names.role("funding", "live");
  const request = {
    filters: [...LISTED, ...filters],
    order: FUNDING_SORTS[NEWEST_FIRST],
    idField: REGISTRY.funding.idField,
    page,
    source: ["row"],
    generation: await parts.caches?.generations("funding"),
  };
  const found = await parts.page<Pick<FundingDocument, "row">>(index, request);
  return { rows: found.documents.map(({ row }) => rowOf(row)), rounds: { count: found.count, next: found.next } };
}
