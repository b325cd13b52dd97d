import { wantsRawText } from "@tranche/read-models/parameters/csv-text";
import { pipeline, type Readable } from "node:stream";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { dayOfTime } from "@tranche/shared/domain/time/day";
import type { Context, Middleware } from "koa";
import { chargeMore } from "../admission/charge-more.ts";
import { chargeOf } from "../admission/charge.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { afterCopy } from "@tranche/read-models/feed/position";
import { encodePosition } from "@tranche/read-models/feed/position-text";
import { changesDigest } from "@tranche/read-models/parameters/changes";
import type { ExportTable } from "@tranche/read-models/parameters/export";
import { filtersOf } from "@tranche/read-models/parameters/read";
import { encoderOf } from "@tranche/http/server/encoded";
import { acceptedEncoding } from "@tranche/http/server/encoding";
import { withFields } from "../present/fields.ts";
import { exportCost, exportHeaders, exportRefund, exportText } from "../present/export.ts";
import { exportCount } from "../query/export.ts";
import { readExport } from "./export-request.ts";
import type { List } from "./list.ts";
import { assertFilled } from "./assert-filled.ts";
import type { ApiParts } from "./parts.ts";

/**
 * `GET` of the whole result of a list, from the key to the bytes. `HEAD` says how many rows there are, for one request. `feed`: the feed of
 * the list's changes, for lists that have one.
 */
export function exportRoute<Document>(
  endpoint: Endpoint<ExportTable>,
  list: List<Document>,
  parts: ApiParts,
  feed?: { model: FeedModel; path: string },
): Middleware {
  const index = parts.names.role(list.model, "live");
  const name = endpoint.path.split("/").at(-2)!;

  /** The state of the feed; undefined while it is closed. */
  const feedNow = async () => {
    try {
      return feed && (await parts.feed.watch.state(feed.model));
    } catch (error) {
      if (error instanceof ApiError && error.code === "unavailable") return undefined;
      throw error;
    }
  };

  return async (ctx) => {
    await parts.identify(ctx);
    const { values, format, excel, refusal } = readExport(ctx, endpoint);
    const { account, plan } = await parts.admit(ctx, refusal);
    const asked = { filters: { table: endpoint.parameters, values } };
    await assertFilled({ lacking: parts.lacking, model: list.model, asked });
    const filters = filtersOf(endpoint.parameters, values, list.base);
    const search = { filters, idField: list.idField, source: list.source };
    const headersFor = async (count: number) => {
      const generation = await parts.caches?.generations(list.model);
      const warnings = await parts.unknownItems(index, endpoint.parameters, values, { count, generation });
      return exportHeaders({ name, format, count, warnings, today: dayOfTime(parts.now()) });
    };
    // It is compressed here, or not at all.
    ctx.compress = false;

    if (ctx.method === "HEAD") {
      const { count } = await parts.search(index, exportCount(search));
      ctx.set(await headersFor(count));
      ctx.status = 200;
      return;
    }
    const requestId = String(ctx.state.requestId);
    const begun = await parts.exports.begin({ account, route: endpoint.path, requestId, response: ctx.res });
    try {
      // Before and after the view of the export is opened: changes in between come again.
      const before = await feedNow();
      const text = exportText(withFields(list, values.fields), { format, excel, rawText: wantsRawText(values) });
      const pages = await begun.read(index, search, text);
      const after = before && (await feedNow());
      const since =
        after &&
        encodePosition({
          digest: changesDigest(feed!.path, endpoint.parameters, values),
          position: afterCopy(before, after),
        });
      const headers = { ...(await headersFor(pages.count)), ...(since ? { "X-Changes-Since": since } : {}) };
      const refundAfter = (sent: number) => exportRefund(pages.count, sent);
      const what = `An export of ${pages.count} rows`;
      const price = { cost: exportCost(pages.count), what, advice: " Narrow it with filters." };
      await chargeMore(ctx, plan, price, () => refundAfter(begun.rowsSent()));
      ctx.set(headers);
      const charge = chargeOf(ctx);
      const rows = begun.stream(pages, text.head, async (sent, serviceFailed) => {
        if (serviceFailed) await charge?.refund(refundAfter(sent));
        await charge?.delivered?.();
      });
      ctx.body = encoded(ctx, rows);
    } catch (error) {
      await begun.end();
      throw error;
    }
  };
}

/** The bytes in the encoding that the caller prefers. When they end early, so does the response: nothing ends it cleanly. */
function encoded(ctx: Context, bytes: Readable): Readable {
  const encoding = acceptedEncoding(ctx);
  if (encoding === "identity") return bytes;
  ctx.set("Content-Encoding", encoding);
  return pipeline(bytes, encoderOf(encoding), () => {});
}
