import type { Plan } from "@tranche/shared/accounts/plans";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { CallerRequest } from "../admission/charge.ts";
import type { Call } from "../serve/call.ts";
import { leaving } from "../serve/leaving.ts";
import type { AdmittedRequest, ListSteps, UncachedSteps } from "../serve/list-steps.ts";
import type { CachedPage, FrontCache, RepeatedRequest } from "./front-cache.ts";
import type { Generations } from "./generations.ts";
import { createParsedRequests } from "./parsed-requests.ts";
import type { Answer, Refusal } from "../present/answer.ts";
import type { Cacheable } from "../serve/generation.ts";
import type { Metrics } from "../serve/metrics.ts";
import type { SingleFlight } from "./single-flight.ts";

/** The parts of the request with which `answer` makes the next equal one faster. */
type CachedListRequest<Request> = AdmittedRequest & { call: Call; request: Request };

/** The caches of a process that all lists share. */
export type ListCaches = {
  generations: Generations;
  pages: SingleFlight<CachedPage>;
  front: FrontCache | undefined;
  /** Counts the answers of lists. */
  count: Pick<Metrics["listAnswer"], "pages" | "search">;
  /** How many documents the live index of a read model has, as far as this process knows. */
  documents: (model: ReadModel) => number | undefined;
};

/** Wraps the steps of a list in its caches. `route`: its path, which is part of the key of its pages. */
export function cachedList<Request extends object, Page>(
  route: string,
  model: ReadModel,
  steps: UncachedSteps<Request, Page>,
  { generations, pages, front, count }: ListCaches,
): ListSteps<Request, Page, CachedListRequest<Request>> {
  const parsed = createParsedRequests(steps.parse);
  const keyOf = (page: Page) => JSON.stringify([route, page]);

  const admit = async (caller: CallerRequest, request: Request): Promise<AdmittedRequest> => {
    await steps.identify(caller);
    // Sent to Redis together with the admission. It never rejects, so it may be awaited last.
    const generation = generations(model);
    const { account, plan } = await steps.admit(caller, request);
    return { account, plan, generation: await generation };
  };
  const repeated = (request: Request): RepeatedRequest => {
    const keys = new WeakMap<Plan, string>();
    return {
      route,
      admit: (caller) => admit(caller, request),
      cachedPage({ plan, generation }) {
        let key = keys.get(plan);
        if (key === undefined) keys.set(plan, (key = keyOf(steps.page(request, plan))));
        return pages.cached(generation, key);
      },
    };
  };

  return {
    ...(steps.costsUnchanged ? { costsUnchanged: steps.costsUnchanged } : {}),
    page: steps.page,
    parse: parsed.parse,
    // The front cache identified and admitted the caller already if it knew the request.
    identify: (caller) => front?.admission(caller.req) ?? steps.identify(caller),
    async admit(call, request) {
      const admitted = await (front?.admission(call.req) ?? admit(call, request));
      return { ...admitted, call, request };
    },
    async answer(page, { call, request, ...admitted }) {
      const { generation } = admitted;
      const key = keyOf(page);
      const cached = pages.cached(generation, key);
      const found =
        cached ?? (await pages(generation, key, (left) => toPage(steps.answer(page, admitted, left)), leaving(call)));
      (cached ? count.pages : count.search)();
      // Most requests are made only once: keeping them would only cost memory.
      if (cached) parsed.remember(call, request);
      const { answer } = found;
      // Refusals go through the route.
      if (generation && !("refused" in answer))
        front?.noteAnswered(call.req, found, cached && (() => repeated(request)));
      return { value: answer, computed: !cached };
    },
  };
}

/** An answer without the responses that will be sent with it. */
async function toPage(answer: Promise<Cacheable<Answer | Refusal>>): Promise<Cacheable<CachedPage>> {
  const { value, dependencies } = await answer;
  return { value: { answer: value, responses: new Map() }, dependencies };
}
