import type { Middleware } from "koa";
import { answerOf } from "../present/answer.ts";
import { presentUsage } from "../present/usage.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { ApiParts } from "./parts.ts";
import { applyPreference, readRequest } from "./request.ts";
import { respond } from "./respond.ts";

/** The caller's usage. It costs no quota, so that it can be requested when the quota is used up. */
export function usageRoute(endpoint: Endpoint, parts: Pick<ApiParts, "identify" | "admit">): Middleware {
  return async (ctx) => {
    await parts.identify(ctx);
    const request = readRequest(ctx, endpoint);
    applyPreference(ctx, request);
    const { planId, plan, limits } = await parts.admit(ctx, request.refusal, 0);
    await respond(ctx, answerOf("json", JSON.stringify({ data: presentUsage(planId, plan, limits) })));
  };
}
