import type { Call } from "../serve/call.ts";
import { leaving } from "../serve/leaving.ts";
import type { AdmittedRequest, ListSteps, UncachedSteps } from "../serve/list-steps.ts";

/** The steps of a list when nothing is cached: each request computes its answer. */
export function uncachedList<Request, Page>(
  steps: UncachedSteps<Request, Page>,
): ListSteps<Request, Page, AdmittedRequest & { call: Call }> {
  return {
    ...steps,
    admit: async (call, request) => ({ ...(await steps.admit(call, request)), call }),
    async answer(page, { call, ...admitted }) {
      const { value } = await steps.answer(page, admitted, leaving(call));
      return { value, computed: true };
    },
  };
}
