import { beforeAll, describe, expect, test } from "vitest";
import { callIn } from "./agents/ask-agent.ts";
import { isRight, type Outcome, outcomeOf } from "./agents/outcome.ts";
import { type Question, QUESTIONS } from "./agents/questions.ts";
import { mcpClient } from "./support/mcp-client.ts";
import { withShowcase } from "./support/with-service.ts";

const { service } = withShowcase();
const { call } = mcpClient(() => service.base);
let key: string;
/** The outcome of the right call of each question. */
const found = new Map<Question, Outcome>();

beforeAll(async () => {
  key = await service.key("scale");
  // One after the other, because searches and statistics of an account wait for each other.
  for (const question of QUESTIONS) {
    const outcome = outcomeOf(await call(key, question.call.name, question.call.arguments));
    if (outcome) found.set(question, outcome);
  }
});

test("there are 30 easy questions and 30 hard ones, each once", () => {
  expect(QUESTIONS.filter(({ level }) => level === "easy")).toHaveLength(30);
  expect(QUESTIONS.filter(({ level }) => level === "hard")).toHaveLength(30);
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(60);
});

test.each(QUESTIONS)("the call for “$question” finds something, and is right", (question) => {
  const outcome = found.get(question);
  expect(outcome?.count ?? outcome?.rows.length).toBeGreaterThan(0);
  expect(isRight(outcome, outcome!, question.grade)).toBe(true);
});

test("the call for another question is hardly ever right", () => {
  const asGood = QUESTIONS.flatMap((question) =>
    QUESTIONS.filter((other) => other !== question).filter((other) =>
      isRight(found.get(other), found.get(question)!, question.grade),
    ),
  );
  // Three questions are about the same company, and of lists of several pages only the counts are compared, which can be equal.
  expect(asGood.length).toBeLessThan(QUESTIONS.length ** 2 / 100);
});

describe("a first call is graded by its outcome", () => {
  const outcome = (rows: string, count: number | undefined = rows.length): Outcome => ({ rows: rows.split(""), count });
  test.each([
    ["rows", "abc", 3, "cab", 3, true],
    ["rows", "abc", 3, "abd", 3, false],
    ["rows", "abc", 30, "xyz", 30, true],
    ["rows", "abc", 30, "abc", 31, false],
    ["order", "abc", 30, "ab", 30, true],
    ["order", "abc", 30, "ba", 30, false],
    ["count", "a", 30, "xyz", 30, true],
    ["count", "", 30, "", 30, true],
    ["groups", "abc", 30, "ab", 30, false],
    ["first", "a", undefined, "ab", 2, true],
    ["first", "a", undefined, "ba", 2, false],
    ["count", "a", 0, "", 0, false],
  ] as const)("by %s: %s of %s, given %s of %s", (grade, rows, count, given, givenCount, right) => {
    expect(isRight(outcome(given, givenCount), outcome(rows, count), grade)).toBe(right);
  });

  test("an error is never right, and text around a call does not matter", () => {
    expect(isRight(undefined, outcome("a"), "first")).toBe(false);
    expect(callIn('I ask:\n```json\n{"name": "find", "arguments": {"q": "a}"}}\n```')).toEqual({
      name: "find",
      arguments: { q: "a}" },
    });
    expect([callIn("no"), callIn("{}")]).toEqual([undefined, undefined]);
  });
});
