import type { Context } from "koa";
import type { ParameterTable } from "../parameters/parameter.ts";
import { writeQueryString } from "../parameters/read.ts";
import type { Format } from "../present/formats.ts";
import { createKnownRequests } from "./known-requests.ts";
import { type ApiRequest, rawQuery, readRequest, tellHandling } from "./request.ts";

/** A request as it was read, and the query string that all who ask for some page of the same share: without `limit` and `offset`. */
export type Reading = ApiRequest & { canonical: string };

export type Readings = {
  read: (ctx: Context) => Reading;
  /** Keeps a reading for those who ask the same, letter for letter. */
  remember: (ctx: Context, reading: Reading) => void;
};

/** Reads the requests of one address. Reading is pure. Nothing that tells callers apart is remembered. */
export function createReadings(table: ParameterTable, formats: readonly Format[]): Readings {
  const remembered = createKnownRequests<Reading>();
  // None of the three can have a line end in it.
  const keyOf = (ctx: Context) => `${rawQuery(ctx)}\n${ctx.get("Accept")}\n${ctx.get("Prefer")}`;
  return {
    read(ctx) {
      const known = remembered.get(keyOf(ctx));
      if (known) {
        tellHandling(ctx, known.handling);
        return known;
      }
      const request = readRequest(ctx, table, formats);
      const { limit: _, offset: __, ...values } = request.values;
      const sound = request.problems.length === 0;
      return Object.freeze({ ...request, canonical: sound ? writeQueryString(table, values) : "" });
    },
    remember(ctx, reading) {
      const key = keyOf(ctx);
      if (remembered.get(key) !== reading) remembered.set(key, reading);
    },
  };
}
