import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { ONE_OF_OWN } from "../admission/admit.ts";
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
import type { Serve } from "../serve/call.ts";
import type { Dependencies, Generation } from "../serve/generation.ts";
import type { AdmittedRequest, ListSteps, UncachedSteps } from "../serve/list-steps.ts";

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

/** Serves a list. With caches, some of its steps are replaced by cached ones. */
export function serveList<Document>(endpoint: Endpoint, list: List<Document>, parts: ApiParts): Serve {
  const steps = listSteps(endpoint, list, parts);
  return serveSteps(endpoint.path, list.model, steps, parts.caches);
}

/** Serves the steps of a list, in its caches if there are any. `route`: its path. */
export function serveSteps<Request extends Pick<ApiRequest, "handling">, Page>(
  route: string,
  model: ReadModel,
  steps: UncachedSteps<Request, Page>,
  caches: ListCaches | undefined,
): Serve {
  return caches ? inOrder(cachedList(route, model, steps, caches)) : inOrder(uncachedList(steps));
}

/** A request to a list, from the key to the answer. The key comes first: without one, no other error is reported. */
function inOrder<Request extends Pick<ApiRequest, "handling">, Page, Admitted extends AdmittedRequest>(
  steps: ListSteps<Request, Page, Admitted>,
): Serve {
  const { identify, parse, admit, page, answer, costsUnchanged } = steps;
  return async (call) => {
    await identify(call);
    const request = parse(call);
    applyPreference(call, request);
    const admitted = await admit(call, request);
    const { value, computed } = await answer(page(request, admitted.plan), admitted);
    const isRefusal = "refused" in value;
    // A refusal that takes a search costs what an answer does, kept or not.
    if (isRefusal || (computed && costsUnchanged?.(request))) recordWork(call);
    if (isRefusal) throw value.refused;
    return value;
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
    parse: (call) => readRequest(call, endpoint, { list: ordered }),
    admit: (caller, request) => parts.admit(caller, request.refusal, ONE_OF_OWN),
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
