import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import type { ApiClient } from "../explore/api-client.ts";
import { type ApiDocument, type ListFields, listFields } from "../explore/list-fields.ts";
import type { DashboardParts } from "./parts.ts";

const CACHED_FOR_MS = 60_000;

export type ParametersView = ListFields;

/** The parameters of the lists, from the API's own description. Forms are made from them. */
export function addParameters(router: Router, { requireSession, api }: DashboardParts): void {
  let cache: { at: number; fields: Promise<ListFields> } | undefined;
  router.get("/parameters", async (ctx) => {
    await requireSession(ctx);
    if (cache === undefined || Date.now() - cache.at > CACHED_FOR_MS) {
      const fresh = { at: Date.now(), fields: read(api) };
      fresh.fields.catch(() => {
        if (cache === fresh) cache = undefined;
      });
      cache = fresh;
    }
    const data: ParametersView = await cache.fields;
    ctx.body = { data };
  });
}

async function read(api: ApiClient): Promise<ListFields> {
  const answer = await api.request({ method: "GET", path: "/openapi.json", headers: {} });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    throw new PageError("unavailable", "The API does not describe itself.");
  }
  return listFields((await answer.body.json()) as ApiDocument);
}
