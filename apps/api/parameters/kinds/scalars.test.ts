import { describe, expect, test } from "vitest";
import { RAW_PLUS } from "../query-string.ts";
import { choice } from "./choice.ts";
import { date } from "./date.ts";
import { readKind } from "./kind.ts";

describe("a date", () => {
  test.each(["2024-02-29", "2000-02-29", "1960-01-01", "9999-12-31"])("may be %s", (text) =>
    expect(readKind(date(), text)).toEqual({ value: text }),
  );

  test.each(["2024-02-30", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00"])(
    "may not be %s, which is in no calendar",
    (text) =>
      expect(readKind(date(), text)).toMatchObject({
        complaints: [{ message: "There is no such day in the calendar.", value: text }],
      }),
  );

  test.each([
    "2024-1-1",
    "01/02/2024",
    "tomorrow",
    "2024-01-01T00:00:00Z",
    "20240101",
    "2024-01-01 ",
    "-2024-01-01",
    "+002024-01-01",
  ])("may not be %s, which is of another form", (text) =>
    expect(readKind(date(), text)).toMatchObject({ complaints: [{ code: "malformed_value", value: text }] }),
  );
});

describe("a choice", () => {
  const kind = choice(["any", "all"]);

  test("is one of its words, exactly", () => {
    expect(readKind(kind, "all")).toEqual({ value: "all" });
    for (const text of ["ALL", "all ", `all${RAW_PLUS}`, "some"])
      expect(readKind(kind, text)).toHaveProperty("complaints");
  });

  test("tells the words, and the nearest one", () => {
    expect(readKind(kind, "al")).toEqual({
      complaints: [
        {
          code: "unknown_value",
          message: "Expected one of any, all.",
          value: "al",
          suggestion: "all",
          allowed: ["any", "all"],
        },
      ],
    });
    expect(readKind(kind, "whatever")).toMatchObject({
      complaints: [expect.not.objectContaining({ suggestion: expect.anything() as unknown })],
    });
  });
});
