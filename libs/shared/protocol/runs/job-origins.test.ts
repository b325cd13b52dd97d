import { expect, test } from "vitest";
import { createJobOrigins, originsOf, originsText } from "./job-origins.ts";

const lines = (file: string, first: number, last: number) => ({ file, lines: [first, last] as const });

test("lost jobs are named by file and line, neighbours as one part", () => {
  const origins = createJobOrigins();
  origins.add(1, [lines("a", 1, 1), lines("a", 500, 500)]);
  origins.add(2, [lines("a", 502, 502), lines("a", 900, 900), lines("b", 1, 1), lines("b", 90, 90)]);
  origins.add(3, [lines("b", 91, 99)]);
  origins.add(4, [lines("b", 100, 120)]);
  expect(originsOf(origins.all(), [[2, 3]])).toEqual([lines("a", 502, 900), lines("b", 1, 99)]);
  const apart = [
    [1, 1],
    [4, 4],
  ] as const;
  expect(originsOf(origins.all(), apart)).toEqual([lines("a", 1, 500), lines("b", 100, 120)]);
  expect(originsOf(origins.all(), [])).toEqual([]);
});

test("many jobs become few parts that leave out no line", () => {
  const origins = createJobOrigins(10);
  for (let job = 1; job <= 1000; job++) origins.add(job, [lines("a", job * 2, job * 2 + 1)]);
  expect(origins.all().length).toBeLessThanOrEqual(20);
  for (let job = 1; job <= 1000; job++) {
    const [part] = originsOf(origins.all(), [[job, job]]);
    expect(part!.lines![0]).toBeLessThanOrEqual(job * 2);
    expect(part!.lines![1]).toBeGreaterThanOrEqual(job * 2 + 1);
  }
});

test("elements, and sources without either, are named too", () => {
  const origins = createJobOrigins();
  origins.add(1, [{ file: "a.json", elements: [1, 1] }, { file: "a.json", elements: [7, 7] }, { file: "b" }]);
  expect(originsText(originsOf(origins.all(), [[1, 1]]))).toBe("a.json elements 1 to 7, b");
});
