import { describe, expect, test } from "vitest";
import { atHorizon } from "../../feed/position.ts";
import { decodePosition, encodePosition } from "../../feed/position-text.ts";
import { sinceProblems } from "../changes.ts";
import { RAW_PLUS } from "../query-string.ts";
import { readKind } from "./kind.ts";
import { since, START } from "./since.ts";

const POSITION = encodePosition({ digest: "AAAAAAAAAAAA", position: atHorizon("e", 1) });

test("a position is read with its digest, and `start` is a word", () => {
  expect(readKind(since(), POSITION)).toEqual({ value: decodePosition(POSITION) });
  expect(readKind(since(), START)).toEqual({ value: START });
  for (const text of [POSITION, START]) expect(since().encode(since().decode(text))).toBe(text);
});

test.each([
  ["2026-03-14T09:00:00Z", "2026-03-14T09:00:00.000Z"],
  ["2026-03-14t09:00:00.123456z", "2026-03-14T09:00:00.123Z"],
  ["2026-03-14T09:00:00-02:30", "2026-03-14T11:30:00.000Z"],
  ["2026-03-14T09:00:00+01:00", "2026-03-14T08:00:00.000Z"],
  [`2026-03-14T09:00:00${RAW_PLUS}01:00`, "2026-03-14T08:00:00.000Z"],
])("the time %j is %s", (text, value) => {
  expect(readKind(since(), text)).toEqual({ value: { time: Date.parse(value) } });
  expect(since().encode(since().decode(text))).toBe(value);
});

test.each([
  "2026-03-14",
  "2026-03-14T09:00Z",
  "2026-03-14T09:00:00",
  "2026-03-14 09:00:00Z",
  "2026-02-30T09:00:00Z",
  "2026-03-14T09:00:60Z",
  "2026-03-14T25:00:00Z",
  "+12026-03-14T09:00:00Z",
])("%j is no time, and the message says both forms", (text) => {
  const message = expect.stringMatching(/RFC 3339.*2026-03-14T09:00:00Z.*position/) as string;
  expect(readKind(since(), text)).toMatchObject({ complaints: [{ code: "malformed_value", message }] });
});

test("something else is damaged, and the message says both forms", () => {
  const message = expect.stringMatching(/damaged.*`next`.*2026-03-14T09:00:00Z/) as string;
  expect(readKind(since(), "yesterday")).toMatchObject({ complaints: [{ message }] });
});

describe("a time", () => {
  const now = Date.parse("2026-03-14T09:00:00Z");
  const problems = (text: string) => sinceProblems(since().decode(text), "AAAAAAAAAAAA", now);

  test("may be now, and not in the future", () => {
    expect(problems("2026-03-14T09:00:00.000Z")).toEqual([]);
    expect(problems("2026-03-14T09:00:00.001Z")).toMatchObject([
      {
        code: "out_of_range",
        message: expect.stringContaining("in the future: it is 2026-03-14T09:00:00.000Z here") as string,
      },
    ]);
  });
});
