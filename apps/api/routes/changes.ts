import {
  changesDigest,
  DEFAULT_CHANGES,
  MAX_CHANGES,
  MAX_WAIT_SECONDS,
  positionProblems,
} from "@tranche/read-models/parameters/changes";
import { START } from "@tranche/read-models/parameters/kinds/position";
import { filtersOf, readParameters } from "@tranche/read-models/parameters/read";
import { atHorizon, atStart, type FeedPosition } from "@tranche/read-models/feed/position";
import { decodePosition, encodePosition } from "@tranche/read-models/feed/position-text";
import type { Values } from "@tranche/read-models/parameters/parameter";
import type { Plan } from "@tranche/shared/accounts/plans";
import type { FeedModel } from "@tranche/shared/feed/keys";
import type { FeedState } from "@tranche/shared/feed/state";
import type { Context, Middleware } from "koa";
import { giveBack } from "../admission/give-back.ts";
import type { ChangesPage } from "@tranche/read-models/feed/changes-page";
import type { Followed } from "../changes/changes.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { ApiError, invalidParameters } from "../errors/api-error.ts";
import { presentChanges } from "../present/changes.ts";
import { withFields } from "../present/fields.ts";
import type { List } from "./list.ts";
import { assertFilled } from "./assert-filled.ts";
import type { Parts } from "./parts.ts";
import { acceptedFormat, notAcceptable, rawQuery } from "./request.ts";
import { respond } from "./respond.ts";

/** Longer than anyone may wait, and than the search after it takes. */
const SILENT_FOR_MS = (MAX_WAIT_SECONDS + 15) * 1000;

/** `GET` of the changes of a list: what came, changed or went since a position. */
export function changesRoute<Document>(
  endpoint: Endpoint,
  list: List<Document> & { model: FeedModel },
  parts: Parts,
): Middleware {
  const { parameters } = endpoint;
  const { watch, changes, waits } = parts.feed;

  return async (ctx) => {
    const credentials = await parts.identify(ctx);
    const { values, digest, refusal } = readRequest(ctx, endpoint);
    const { account, plan } = await parts.admit(ctx, refusal);
    const limit = Math.min(values.limit ?? DEFAULT_CHANGES, plan.export ? MAX_CHANGES : plan.max_limit);
    const { row } = withFields(list, values.fields);
    assertFilled(parts.lacking.of(list.model), { table: parameters, values });
    const filters = filtersOf(parameters, values, list.base);
    const key = JSON.stringify([digest, values.fields]);
    const followed: Followed<Document> = {
      model: list.model,
      key,
      filters,
      idField: list.idField,
      source: list.source,
      row,
    };

    let state = await watch.state(list.model);
    const position = positionOf(values, state);
    let page = await changes.page(followed, position, state, limit);
    if (page.changes.length === 0 && Number(values["wait"]) > 0 && ctx.method === "GET") page = await waitFor();
    if (page.changes.length === 0) await giveBack(ctx);
    const next = encodePosition({ digest, position: page.next });
    await respond(ctx, presentChanges({ ...page, next }));

    async function waitFor(): Promise<ChangesPage> {
      const until = performance.now() + Number(values["wait"]) * 1000;
      const leave = await waits.take(account);
      // The server closes connections on which nothing is sent for less than that.
      ctx.req.socket.setTimeout(SILENT_FOR_MS);
      const left = new AbortController();
      ctx.res.once("close", () => left.abort());
      try {
        while (page.changes.length === 0 && (await watch.news(list.model, state, { until, signal: left.signal }))) {
          // The key may have been revoked meanwhile.
          await parts.checkKey(ctx, credentials);
          state = await watch.state(list.model);
          page = await changes.page(followed, page.next, state, limit);
        }
        return page;
      } finally {
        await leave();
      }
    }
  };
}

/** Reads query string and Accept. It never throws: `refusal` says later what is wrong. */
function readRequest(ctx: Context, { path, parameters, formats }: Endpoint) {
  const { values, problems: found } = readParameters(parameters, rawQuery(ctx));
  const digest = changesDigest(path, parameters, values);
  // A position belongs to its filters, so it can only be checked when all other parameters are valid.
  const problems = found.length > 0 ? found : positionProblems(values, digest);
  const format = acceptedFormat(ctx, formats);
  const refusal = (plan: Plan): ApiError | undefined => {
    if (!format) return notAcceptable(formats);
    if (problems.length > 0) return invalidParameters(problems);
    return values["since"] === START && !plan.export ? planForbidden(plan) : undefined;
  };
  return { values, digest, refusal };
}

const planForbidden = (plan: Plan) =>
  new ApiError(
    "plan_forbidden",
    `The plan ${plan.name} has no exports, and since=start sends everything that there is. Leave since out to begin now.`,
  );

function positionOf({ since }: Values, { epoch, horizon }: FeedState): FeedPosition {
  if (since === START) return atStart(epoch, horizon);
  return typeof since === "string" ? decodePosition(since)!.position : atHorizon(epoch, horizon);
}
