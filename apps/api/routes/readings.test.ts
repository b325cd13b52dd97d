import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import Koa from "koa";
import { describe, expect, test } from "vitest";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import { fundingParameters } from "../parameters/funding.ts";
import type { ParameterTable } from "../parameters/parameter.ts";
import { LIST_FORMATS } from "../present/formats.ts";
import { createReadings } from "./readings.ts";

const table = fundingParameters(dealTypes()) as ParameterTable;
const app = new Koa();

function contextOf(query: string, headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { url: `/api/v1/funding?${query}`, headers });
  return app.createContext(request, new ServerResponse(request));
}

describe("readings", () => {
  test("an equal request is not read again once it is remembered", () => {
    const { read, remember } = createReadings(table, LIST_FORMATS);
    const first = read(contextOf("country=us&limit=5"));
    expect(read(contextOf("country=us&limit=5"))).not.toBe(first);
    remember(contextOf("country=us&limit=5"), first);
    expect(read(contextOf("country=us&limit=5"))).toBe(first);
  });

  test("query strings that mean the same share what pages are kept under", () => {
    const { read } = createReadings(table, LIST_FORMATS);
    const canonical = (query: string) => read(contextOf(query)).canonical;
    expect(canonical("sort=amount_asc&country=usa")).toBe("country=US&sort=amount_asc");
    expect(canonical("country=US&limit=6&offset=6")).toBe(canonical("country=US"));
    expect(canonical("country=US")).not.toBe(canonical("country=GB"));
  });

  test("Accept and Prefer count, and a preference is told each time", () => {
    const { read, remember } = createReadings(table, LIST_FORMATS);
    expect(read(contextOf("", { accept: "text/csv" })).format).toBe("csv");
    expect(read(contextOf("", { accept: "application/x-ndjson" })).format).toBe("ndjson");
    expect(read(contextOf("")).format).toBe("json");
    const strict = () => contextOf("", { prefer: "handling=strict" });
    remember(strict(), read(strict()));
    for (let times = 0; times < 2; times++) {
      const context = strict();
      expect(read(context).handling).toBe("strict");
      expect(context.response.get("Preference-Applied")).toBe("handling=strict");
    }
  });

  test("what has a problem is told again, and is not kept", () => {
    const { read } = createReadings(table, LIST_FORMATS);
    const plan = { name: "Scale", max_limit: 50, burst: 1, quota: 1 };
    const first = read(contextOf("limit=0"));
    expect(first.refusal(plan)?.code).toBe("invalid_parameter");
    expect(read(contextOf("limit=0"))).not.toBe(first);
  });
});
