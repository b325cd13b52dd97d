import { NO_QUOTA } from "../admission/admit.ts";
import type { Serve } from "../serve/call.ts";
import { answerOf } from "../present/answer.ts";
import { presentUsage } from "../present/usage.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { ApiParts } from "./parts.ts";
import { applyPreference, readRequest } from "./request.ts";

/** The caller's usage. It costs no quota, so that it can be requested when the quota is used up. */
export function serveUsage(endpoint: Endpoint, parts: Pick<ApiParts, "identify" | "admit" | "mcpRequests">): Serve {
  return async (call) => {
    await parts.identify(call);
    const request = readRequest(call, endpoint);
    applyPreference(call, request);
    const { account, planId, plan, limits } = await parts.admit(call, request.refusal, NO_QUOTA);
    const mcpRequests = await parts.mcpRequests(account, limits.at);
    return answerOf("json", JSON.stringify({ data: presentUsage(planId, plan, limits, mcpRequests) }));
  };
}
