import type { TestModule } from "vitest/node";
import { expect, test } from "vitest";
import { slowestText, wholeTime } from "./slowest-files.ts";

test("the ten slowest files are shown, slowest first, with those over the budget", () => {
  const files = Array.from({ length: 12 }, (_, n) => ({ path: `tests/${n}.test.ts`, ms: n * 3000 }));
  const [first, ...lines] = slowestText(files).split("\n");
  expect(first).toBe("Slowest files (budget 30 s each; over it: 1 of 12)");
  expect(lines).toHaveLength(10);
  expect(lines[0]).toBe("   33.0 s  tests/11.test.ts  over its budget");
  expect(lines[1]).toBe("   30.0 s  tests/10.test.ts");
  expect(lines.at(-1)).toBe("    6.0 s  tests/2.test.ts");
});

test("a file's time includes its imports, which may start engines", () => {
  const parts = { prepareDuration: 1, environmentSetupDuration: 2, setupDuration: 4, collectDuration: 8, duration: 16 };
  expect(wholeTime({ diagnostic: () => parts } as unknown as TestModule)).toBe(31);
});
