import { describe, expect, test } from "vitest";
import { accessOf } from "./token.ts";

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

describe("the operators' token", () => {
  test.each([
    ["Bearer s3cret", "bearer"],
    ["bearer  s3cret ", "bearer"],
    [basic("ann:s3cret"), "basic"],
    [basic(":s3cret"), "basic"],
    ["Bearer s3cre", undefined],
    ["Bearer s3cret2", undefined],
    ["Bearer", undefined],
    ["s3cret", undefined],
    [basic("s3cret"), undefined],
    [basic("ann:s3cret:more"), undefined],
    [basic("s3cret:"), undefined],
    ["Basic %%%", undefined],
    ["Digest s3cret", undefined],
    [undefined, undefined],
  ])("%j", (authorization, access) => {
    expect(accessOf(authorization, "s3cret")).toEqual(access);
  });

  test("that is not set lets nobody in, not even with an empty one", () => {
    for (const given of ["Bearer ", basic("ann:"), basic("ann:undefined"), "Bearer undefined"])
      expect(accessOf(given, undefined)).toBeUndefined();
  });
});
