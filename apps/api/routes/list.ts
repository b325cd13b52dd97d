import type { Plan } from "@tranche/shared/accounts/plans";
import type { Middleware } from "koa";
import type { ReadModel } from "@tranche/shared/search/index-names";
import type { Generation } from "../cache/history.ts";
import type { Made } from "../cache/remembered.ts";
import { pageOf } from "../parameters/page.ts";
import { filtersApplied, filtersOf } from "../parameters/read.ts";
import { linkHeader } from "../present/link.ts";
import { pagination } from "../present/pagination.ts";
import { csv, type FlatRow, ndjson } from "../present/table.ts";
import type { Warning } from "../parameters/warning.ts";
import { warningsHeader } from "../present/warnings.ts";
import type { Order, Page } from "@tranche/read-models/query/list-query";
import type { Endpoint } from "../endpoints/endpoints.ts";
import type { Parts } from "./parts.ts";
import { createReadings, type Reading } from "./readings.ts";
import type { Answer, Asked } from "./answer.ts";
import { begunOf, noteAnswered } from "./replayed.ts";
import { answerOf, respond } from "./respond.ts";

/** What one list has that the other has not: everything else about them is the same. */
export type List<Document> = {
  model: ReadModel;
  /** The first is the default. */
  sorts: Readonly<Record<string, Order>>;
  idField: string;
  /** Fields of a document that rows are made of. */
  source: readonly (keyof Document & string)[];
  /** As JSON. */
  row: (document: Document) => string;
  columns: readonly string[];
  flat: (document: Document) => FlatRow;
  /** Members of every answer beside the rows. */
  catalogue: Readonly<Record<string, unknown>>;
};

/** A request to a list, from the address to the bytes. */
export function listRoute<Document>(endpoint: Endpoint, list: List<Document>, parts: Parts): Middleware {
  const { path, parameters, formats } = endpoint;
  const index = parts.names.role(list.model, "live");
  const sortOptions = Object.keys(list.sorts);
  const readings = createReadings(parameters, formats);

  return async (ctx) => {
    const request = readings.read(ctx);
    const asked = askedOf(request);
    const begun = await (begunOf(ctx) ?? asked.begin(ctx));
    const capped = pageOf(request.values, begun.plan);
    const question = questionOf(request, capped);
    const there = parts.pages.finished(begun.generation, question);
    const answer =
      there ??
      (await parts.pages(begun.generation, question, () =>
        makeAnswer(request, capped.page, capped.warnings, begun.generation),
      ));
    await respond(ctx, answer);
    // Most of what is asked once is not asked again: it would only be more for the collector of garbage to look through.
    if (there) readings.remember(ctx, request);
    if (begun.generation !== undefined) noteAnswered(ctx, { asked, answer, again: there !== undefined });
  };

  function askedOf(request: Reading): Asked {
    /** What is asked on a plan. A text that is the same one each time is not hashed again to find the answer. */
    const questions = new WeakMap<Plan, string>();
    return {
      route: path,
      async begin(ctx) {
        await parts.identify(ctx);
        // It never rejects, so that it may be waited for last.
        const generation = parts.generation(list.model);
        const { plan } = await parts.admit(ctx, request.refusal);
        return { plan, generation: await generation };
      },
      finished({ plan, generation }) {
        let question = questions.get(plan);
        if (question === undefined) questions.set(plan, (question = questionOf(request, pageOf(request.values, plan))));
        return parts.pages.finished(generation, question);
      },
    };
  }

  /** All that an answer depends on beside the documents. */
  function questionOf({ format, canonical, values }: Reading, { page, warnings }: ReturnType<typeof pageOf>): string {
    return JSON.stringify([path, format, canonical, page, warnings, values.limit !== undefined]);
  }

  async function makeAnswer(
    { values, format, canonical }: Reading,
    page: Page,
    capped: readonly Warning[],
    generation: Generation | undefined,
  ): Promise<Made<Answer>> {
    const sort = (values.sort as string | undefined) ?? sortOptions[0]!;
    const filters = filtersOf(parameters, values);
    const order = list.sorts[sort]!;
    const request = { filters, order, idField: list.idField, page, source: list.source, generation };
    const { documents, ids, count } = await parts.page<Document>(index, request);
    const unknown = await parts.unknownItems(index, parameters, values, { count, generation });
    const warnings = [...capped, ...unknown];
    // What no record has, any record may have next: that depends on more than the rows found.
    const watch = unknown.length === 0 ? { filters, ids, order: order.field } : undefined;

    const link = linkHeader(path, canonical, page, count, values.limit !== undefined);
    const flat = values.format === "flat";
    const text = flat ? (document: Document) => JSON.stringify(list.flat(document)) : list.row;
    if (format === "json") {
      const rest = {
        ...list.catalogue,
        pagination: pagination(count, page),
        filters_applied: filtersApplied(parameters, values, sort),
        sort_options: sortOptions,
        ...(warnings.length > 0 ? { warnings } : {}),
      };
      const body = `{"data":[${documents.map(text).join(",")}],${JSON.stringify(rest).slice(1)}`;
      return { value: answerOf(format, body, { Link: link }), watch };
    }
    const body = format === "csv" ? csv(list.columns, documents.map(list.flat)) : ndjson(documents.map(text));
    const headers = {
      Link: link,
      "X-Total-Count": String(count),
      ...(warnings.length > 0 ? { "X-Warnings": warningsHeader(warnings) } : {}),
    };
    return { value: answerOf(format, body, headers), watch };
  }
}
