import { expect, test } from "vitest";
import { conditionReader } from "./condition.ts";

test.each([
  ["Berlin,\nGermany", true],
  ["Berlin", false],
  [" berlin, ", true],
])("a condition on the whole of %j", (text, fits) => {
  expect(conditionReader({ column: "Place", fits: ".*,.*" })({ Place: text })).toBe(fits);
  expect(conditionReader({ column: "Place", not: ".*,.*" })({ Place: text })).toBe(!fits);
});

test("a text of many lines and marks takes linear time", () => {
  const started = performance.now();
  for (const fits of [".*,.*", ".*\\d.*"])
    conditionReader({ column: "A", fits })({ A: `${"9,".repeat(100_000)}\nFrance` });
  expect(performance.now() - started).toBeLessThan(300);
});
