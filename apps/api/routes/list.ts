import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { Middleware } from "koa";
import { recordWork } from "../admission/charge.ts";
import { cachedList, type ListCaches } from "../cache/cached-list.ts";
import { uncachedList } from "../cache/uncached-list.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { filtersOf } from "@tranche/read-models/parameters/read";
import type { Values } from "@tranche/read-models/parameters/parameter";
import { listPage, type ListPage } from "../present/list-page.ts";
import { presentList, type PresentedPage } from "../present/list.ts";
import type { RowFormats } from "../present/row-formats.ts";
import type { Filter } from "@tranche/read-models/query/filters";
import type { Order } from "@tranche/read-models/query/list-query";
import { isDeep } from "../paging/pager.ts";
import { assertFilled } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";
import { type ApiRequest, applyPreference, readRequest } from "./request.ts";
import type { Dependencies, Generation } from "../serve/generation.ts";
import type { AdmittedRequest, ListSteps, UncachedSteps } from "../serve/list-steps.ts";
import { respond } from "./respond.ts";

/** The differences between the lists. */
export type List<Document> = {
  model: ReadModel;
  /** The conditions that all its rows meet. */
  base: readonly Filter[];
  /** The first is the default. */
  sorts: Readonly<Record<string, Order>>;
  idField: string;
  /** Fields of a document that rows are made of. */
  source: readonly (keyof Document & string)[];
} & RowFormats<Document>;

/** `GET` of a list. With caches, some of its steps are replaced by cached ones. */
export function listRoute<Document>(endpoint: Endpoint, list: List<Document>, parts: ApiParts): Middleware {
  const steps = listSteps(endpoint, list, parts);
  return listHandler(endpoint.path, list.model, steps, parts.caches);
}

/** Serves the steps of a list, in its caches if there are any. `route`: its path. */
export function listHandler<Request extends Pick<ApiRequest, "handling">, Page>(
  route: string,
  model: ReadModel,
  steps: UncachedSteps<Request, Page>,
  caches: ListCaches | undefined,
): Middleware {
  return caches ? handler(cachedList(route, model, steps, caches)) : handler(uncachedList(steps));
}

/** A request to a list, from the key to the bytes. The key comes first: without one, no other error is reported. */
function handler<Request extends Pick<ApiRequest, "handling">, Page, Admitted extends AdmittedRequest>(
  steps: ListSteps<Request, Page, Admitted>,
): Middleware {
  const { identify, parse, admit, page, answer, costsUnchanged } = steps;
  return async (ctx) => {
    await identify(ctx);
    const request = parse(ctx);
    applyPreference(ctx, request);
    const admitted = await admit(ctx, request);
    const { value, computed } = await answer(page(request, admitted.plan), admitted);
    const isRefusal = "refused" in value;
    // A refusal that takes a search costs what an answer does, kept or not.
    if (isRefusal || (computed && costsUnchanged?.(request))) recordWork(ctx);
    if (isRefusal) throw value.refused;
    await respond(ctx, value);
  };
}

function listSteps<Document>(
  endpoint: Endpoint,
  list: List<Document>,
  parts: ApiParts,
): UncachedSteps<ApiRequest, ListPage> {
  const { path, parameters } = endpoint;
  const index = parts.names.role(list.model, "live");
  const sortOptions = Object.keys(list.sorts);
  const presented = { path, publicPath: parts.publicPath, parameters, sortOptions, ...list };

  const ordered = ({ sort = sortOptions[0]! }: Values) => ({ path, parameters, sort, order: list.sorts[sort]! });

  /** The documents of a page, the exact count of all rows, and what the caller should know about the filters. */
  async function search(
    { values, sort, page }: ListPage,
    generation: Generation | undefined,
    left: AbortSignal,
  ): Promise<{ found: PresentedPage<Document>; dependencies: Dependencies | undefined }> {
    const filters = filtersOf(parameters, values, list.base);
    const order = list.sorts[sort]!;
    const asked = { filters: { table: parameters, values }, order: { sort, order } };
    await assertFilled({ lacking: parts.lacking, model: list.model, asked, generation });
    const request = { filters, order, idField: list.idField, page, source: list.source, generation, left };
    const { documents, ids, count, next } = await parts.page<Document>(index, request);
    const warnings = await parts.unknownItems(index, parameters, values, { count, generation });
    // Any new document may have the unknown value.
    const dependencies = warnings.length === 0 ? { filters, ids, order: order.field } : undefined;
    return { found: { documents, count, next, warnings }, dependencies };
  }

  return {
    identify: parts.identify,
    parse: (ctx) => readRequest(ctx, endpoint, { list: ordered }),
    admit: (caller, request) => parts.admit(caller, request.refusal),
    page: (request, plan) => listPage(request, plan, sortOptions),
    answer(page, { account, generation }, left) {
      const find = async () => {
        const { found, dependencies } = await search(page, generation, left);
        return { value: presentList(presented, page, found), dependencies };
      };
      if (page.values["q"] !== undefined) return parts.turns.inTurn(account, left, find);
      return isDeep(page.page) ? parts.turns.inLine(account, left, find) : find();
    },
  };
}
