import type { Context } from "koa";
import type { ParameterTable } from "../parameters/parameter.ts";
import { writeQueryString } from "../parameters/read.ts";
import type { Format } from "../present/formats.ts";
import { createKnownRequests } from "./known-requests.ts";
import { type ApiRequest, rawQuery, readRequest, tellHandling } from "./request.ts";

/** A request as it was read, and the query string that all who ask for the same share. */
export type Reading = ApiRequest & { canonical: string };

/**
 * Reads the requests of one address. Reading is pure, so that what is asked again, letter for letter, is not read again. Nothing
 * that tells callers apart is remembered, nor what can't be read: it is not asked for often.
 */
export function createReadings(table: ParameterTable, formats: readonly Format[]): (ctx: Context) => Reading {
  const remembered = createKnownRequests<Reading>();
  return (ctx) => {
    // None of the three can have a line end in it.
    const key = `${rawQuery(ctx)}\n${ctx.get("Accept")}\n${ctx.get("Prefer")}`;
    const known = remembered.get(key);
    if (known) {
      tellHandling(ctx, known.handling);
      return known;
    }
    const request = readRequest(ctx, table, formats);
    const sound = request.problems.length === 0;
    const reading = Object.freeze({ ...request, canonical: sound ? writeQueryString(table, request.values) : "" });
    if (sound) remembered.set(key, reading);
    return reading;
  };
}
