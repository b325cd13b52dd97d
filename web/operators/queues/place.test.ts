import { expect, test } from "vitest";
import { hrefOf, placeOf } from "./place.ts";

test("a place is read from its own address", () => {
  const place = { state: "failed", page: 12 } as const;
  const { pathname, searchParams } = new URL(hrefOf("ingest", place), "http://localhost");
  expect(pathname).toBe("/operators/queues/ingest");
  expect(placeOf(Object.fromEntries(searchParams))).toEqual(place);
});

test("wrong parameters count as left out", () => {
  for (const query of [{}, { state: "lost" }, { page: "0" }, { page: "-1" }, { page: "1e3" }, { page: "9999999" }])
    expect(placeOf(query as Record<string, string>)).toEqual({ state: "waiting", page: 1 });
});
