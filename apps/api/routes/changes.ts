import {
  changesDigest,
  type ChangesTable,
  DEFAULT_CHANGES,
  MAX_CHANGES,
  MAX_WAIT_SECONDS,
  sinceProblems,
} from "@tranche/read-models/parameters/changes";
import { START } from "@tranche/read-models/parameters/kinds/since";
import { filtersOf } from "@tranche/read-models/parameters/read";
import { atHorizon, atStart, type FeedPosition } from "@tranche/read-models/feed/position";
import { encodePosition } from "@tranche/read-models/feed/position-text";
import type { RefusalOf } from "../admission/price-list.ts";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { refundQuota } from "../admission/refund-quota.ts";
import type { ChangesPage } from "@tranche/read-models/feed/changes-page";
import type { Followed } from "../changes/changes.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { planForbidden } from "../errors/api-error.ts";
import { presentChanges } from "../present/changes.ts";
import { withFields } from "../present/fields.ts";
import type { List } from "./list.ts";
import { assertFilled } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";
import { faultOf, readQuery } from "./request.ts";
import type { Call, Serve } from "../serve/call.ts";
import { leaving } from "../serve/leaving.ts";

/** Longer than anyone may wait, and than the search after it takes. */
const SILENT_FOR_MS = (MAX_WAIT_SECONDS + 15) * 1000;

/** Serves the changes of a list: what came, changed or went since a position. */
export function serveChanges<Document>(
  endpoint: Endpoint<ChangesTable>,
  list: List<Document> & { model: FeedModel },
  parts: ApiParts,
): Serve {
  const { parameters } = endpoint;
  const { watch, changes, waits, positions, byTime } = parts.feed;

  return async (call) => {
    const credentials = await parts.identify(call);
    const { values, digest, refusal } = readChanges(call, endpoint);
    const { account, plan } = await parts.admit(call, refusal);
    const { wait = 0 } = values;
    const limit = Math.min(values.limit ?? DEFAULT_CHANGES, plan.export ? MAX_CHANGES : plan.max_limit);
    const { row } = withFields(list, values.fields);
    const asked = { filters: { table: parameters, values } };
    await assertFilled({ lacking: parts.lacking, model: list.model, asked });
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
    const position = await begin();
    let page = await changes.page(followed, position, state, limit);
    if (page.changes.length === 0 && wait > 0 && call.method === "GET") page = await waitFor();
    if (page.changes.length === 0) await refundQuota(call);
    const found = { digest, position: page.next };
    const next = plan.export ? encodePosition(found) : await positions.write(found);
    return presentChanges({ ...page, next });

    /** The position to begin at. Plans without exports can't begin with everything. */
    async function begin(): Promise<FeedPosition> {
      const { since } = values;
      const { epoch, horizon } = state;
      if (since === undefined) return atHorizon(epoch, horizon);
      if (since === START) return atStart(epoch, horizon);
      if ("time" in since) {
        const at = await byTime.at(list.model, since.time, state);
        if (at.all && !plan.export) throw planForbidden(plan, BEFORE_ALL_CHANGES);
        return at.position;
      }
      if (!plan.export && since.position.epoch === epoch && !(await positions.gave(since)))
        throw planForbidden(plan, NOT_GIVEN);
      return since.position;
    }

    async function waitFor(): Promise<ChangesPage> {
      const begun = performance.now();
      const until = begun + wait * 1000;
      const leave = await waits.take(account);
      // The server closes connections on which nothing is sent for less than that.
      call.req.socket.setTimeout(SILENT_FOR_MS);
      const left = leaving(call);
      try {
        while (page.changes.length === 0) {
          const news = await watch.news(list.model, state, { until, signal: left });
          if (!news) break;
          // The key may have been revoked meanwhile.
          await parts.checkKey(call, credentials);
          state = news;
          page = await changes.page(followed, page.next, state, limit);
        }
        return page;
      } finally {
        call.state.waitedMs = performance.now() - begun;
        await leave();
      }
    }
  };
}

/** Reads what a caller asks for, as `readQuery` does. */
function readChanges(call: Call, endpoint: Endpoint<ChangesTable>) {
  const { values, problems: found, accepted } = readQuery(call, endpoint);
  const digest = changesDigest(endpoint.path, endpoint.parameters, values);
  // A position belongs to its filters, so it can only be checked when all other parameters are valid.
  const problems = found.length > 0 ? found : sinceProblems(values.since, digest, Date.now());
  const refusal: RefusalOf = (plan) => {
    const fault = faultOf({ accepted, problems }, endpoint.formats);
    if (fault) return fault;
    return !plan.export && values.since === START ? planForbidden(plan, NOT_FROM_THE_START) : undefined;
  };
  return { values, digest, refusal };
}

const NOT_FROM_THE_START = ", and since=start sends everything that there is. Leave since out to begin now.";
const BEFORE_ALL_CHANGES =
  ", and everything that there is has changed since the time in since. Send a later time, or leave since out to begin now.";
const NOT_GIVEN =
  ", and the position in since has no proof that this API gave it to such a plan. Leave since out to begin now.";
