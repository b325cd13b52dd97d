import { ONE_OF_OWN } from "../admission/admit.ts";
import type { Serve } from "../serve/call.ts";
import type { UncachedSteps } from "../serve/list-steps.ts";
import { jointGenerations } from "../cache/generations.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import {
  DEFAULT_NAMES,
  type NameSearchTable,
  NAME_TYPES,
  type NameType,
} from "@tranche/read-models/parameters/name-search";
import { searchedFields } from "../name-search/searched-fields.ts";
import { answerOf } from "../present/answer.ts";
import { assertFilled } from "./assert-filled.ts";
import { serveSteps } from "./list.ts";
import type { ApiParts } from "./parts.ts";
import { type ApiRequest, readRequest } from "./request.ts";

/** All that an answer depends on beside the documents, as plain data. */
type NamePage = { text: string; types: readonly NameType[]; limit: number };

/** The search by name. Its answers are cached like pages of a list, each for its generation only: any document may have the name. */
export function serveNameSearch(endpoint: Endpoint<NameSearchTable>, parts: ApiParts): Serve {
  const steps: UncachedSteps<ApiRequest<NameSearchTable>, NamePage> = {
    identify: parts.identify,
    parse: (call) => readRequest(call, endpoint),
    admit: (caller, request) => parts.admit(caller, request.refusal, ONE_OF_OWN),
    page: ({ values: { q, types = NAME_TYPES, limit = DEFAULT_NAMES } }) => ({ text: q!, types, limit }),
    answer({ text, types, limit }, { account }, left) {
      return parts.turns.inTurn(account, left, async () => {
        for (const type of types)
          await assertFilled({ lacking: parts.lacking, model: searchedFields(type).model, asked: { names: type } });
        const data = await parts.findNames({ text, types: new Set(types), limit, left });
        return { value: answerOf("json", JSON.stringify({ data })) };
      });
    },
  };
  const { caches } = parts;
  const generations = caches && jointGenerations(caches.generations, ["companies", "investors"]);
  return serveSteps(endpoint.path, "companies", steps, generations && { ...caches, generations });
}
