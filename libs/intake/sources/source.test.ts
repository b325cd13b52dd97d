import { describe, expect, test } from "vitest";
import { collected, read, shown } from "../../../tests/support/source-items.ts";
import { readPieces } from "./source.ts";

describe("nesting", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

  test.each([101, 200_000])("of %i levels is refused, and its neighbours are read", async (depth) => {
    const refused = "is nested deeper than 100 levels";
    expect(
      shown(await read(`1\n${nested(depth)}\n{"a":${nested(depth)}}\n2`, { format: "ndjson", size: 65_536 })),
    ).toEqual(["1: 1", `2: ${refused}`, `3: ${refused}`, "4: 2"]);
    expect(shown(await read(`[1,${nested(depth)},2]`, { size: 65_536 }))).toEqual(["#1: 1", `#2: ${refused}`, "#3: 2"]);
  });

  test("of 100 levels is read", async () => {
    expect((await read(`[${nested(100)}]`)).map((item) => item.ok)).toEqual([true]);
  });
});

test("whatever goes wrong while a file is read is a refusal, after all that was read before", async () => {
  const failing = (async function* () {
    yield Buffer.from('{"a":1}\n{"b":2}\n{"c"');
    throw new RangeError("Maximum call stack size exceeded");
  })();
  expect(shown(await collected(readPieces({ bytes: failing }, undefined)))).toEqual([
    '1: {"a":1}',
    '2: {"b":2}',
    "file: could not be read because of an unexpected error: Maximum call stack size exceeded; the rest was not read",
  ]);
});
