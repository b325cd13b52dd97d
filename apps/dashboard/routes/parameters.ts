import { PageError } from "@tranche/http/errors/page-error";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import type { ApiClient } from "../explore/api-client.ts";
import { type ApiDocument, type ListFields, listFields } from "../explore/list-fields.ts";
import type { DashboardParts } from "./parts.ts";
import { request } from "./requests.ts";

const CACHED_FOR_MS = 60_000;

/** The parameters of the lists, from the API's own description. Forms are made from them. */
export function parameterRequests({ api }: DashboardParts) {
  const share = shareByKey<ListFields>({ ms: CACHED_FOR_MS, keys: 1 });
  return { "GET /parameters": request({ role: "viewer" }, () => share("parameters", () => read(api))) };
}

async function read(api: ApiClient): Promise<ListFields> {
  const answer = await api.request({ method: "GET", path: "/openapi.json", headers: {} });
  if (answer.statusCode !== 200) {
    await answer.body.dump();
    throw new PageError("unavailable", "The API does not describe itself.");
  }
  return listFields((await answer.body.json()) as ApiDocument);
}
