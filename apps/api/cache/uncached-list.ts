import type { Context } from "koa";
import { leaving } from "../serve/leaving.ts";
import type { AdmittedRequest, ListSteps, UncachedSteps } from "../serve/list-steps.ts";

/** The steps of a list when nothing is cached: each request computes its answer. */
export function uncachedList<Request, Page>(
  steps: UncachedSteps<Request, Page>,
): ListSteps<Request, Page, AdmittedRequest & { ctx: Context }> {
  return {
    ...steps,
    admit: async (ctx, request) => ({ ...(await steps.admit(ctx, request)), ctx }),
    async answer(page, { ctx, ...admitted }) {
      const { value } = await steps.answer(page, admitted, leaving(ctx));
      return { value, computed: true };
    },
  };
}
