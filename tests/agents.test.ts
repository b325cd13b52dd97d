import { beforeAll, describe, expect, test } from "vitest";
import { callIn } from "./agents/ask-agent.ts";
import { type CallTool, isCallRight, outcomeOfCall } from "./agents/grade.ts";
import { isRight, type Outcome } from "./agents/outcome.ts";
import { type Question, QUESTIONS } from "./agents/questions.ts";
import { mcpClient, type ToolResult } from "./support/mcp-client.ts";
import { withShowcase } from "./support/with-service.ts";

const { service } = withShowcase();
const { call } = mcpClient(() => service.base);
/** The results of calls so far. */
const results = new Map<string, Promise<ToolResult>>();
let ask: CallTool;

beforeAll(async () => {
  const key = await service.key("scale");
  ask = (name, given) => {
    const asked = JSON.stringify([name, given]);
    const result = results.get(asked) ?? call(key, name, given);
    results.set(asked, result);
    return result;
  };
  const questions = QUESTIONS.values();
  const worker = async () => {
    for (const question of questions) await outcomeOfCall(ask, question.call);
  };
  // An account may have as many searches by name and statistics at once.
  await Promise.all([worker(), worker(), worker(), worker()]);
});

const asking = (start: string): Question => QUESTIONS.find(({ question }) => question.startsWith(start))!;

test("there are 30 easy questions and 30 hard ones, each once", () => {
  expect(QUESTIONS.filter(({ level }) => level === "easy")).toHaveLength(30);
  expect(QUESTIONS.filter(({ level }) => level === "hard")).toHaveLength(30);
  expect(new Set(QUESTIONS.map(({ question }) => question)).size).toBe(60);
});

test.each(QUESTIONS)("the call for “$question” finds something, and is right", async (question) => {
  const outcome = await outcomeOfCall(ask, question.call);
  expect(outcome?.count ?? outcome?.rows.length).toBeGreaterThan(0);
  expect(await isCallRight(ask, question.call, question)).toBe(true);
});

test("the call for another question is right only where it answers both", async () => {
  const asGood: [string, string][] = [];
  for (const question of QUESTIONS)
    for (const other of QUESTIONS)
      if (other !== question && (await isCallRight(ask, other.call, question)))
        asGood.push([question.question, other.question]);
  const [exact, misspelt, domain, median, types] = [
    "Is there a company called Fennelbrook",
    "I do not remember",
    "Whose domain",
    "What is the median",
    "How many rounds are there of each deal type",
  ].map((start) => asking(start).question) as [string, string, string, string, string];
  const pairs = [
    [exact, misspelt],
    [exact, domain],
    [misspelt, exact],
    [misspelt, domain],
    [median, types],
  ];
  expect(new Set(asGood)).toEqual(new Set(pairs));
});

test.each([
  ["What is the median size of a series A", "list_rounds", { deal_types: ["series_a"], limit: 1 }, false],
  ["What is the median size of a series A", "stats", { of: "rounds", group_by: ["deal_type"] }, true],
  ["Rank the countries", "stats", { of: "rounds", from: "2013-01-01", to: "2013-12-31", group_by: ["country"] }, false],
  ["Whose domain", "find", { q: "fennelbrook.example" }, false],
  ["Is there a company called", "list_companies", { q: "Fennelbrook Software" }, true],
  ["How many funding rounds did companies in Germany", "stats", { of: "rounds", country: ["DE"] }, true],
  ["How many funding rounds did companies in Germany", "list_rounds", { country: ["FR"], limit: 1 }, false],
  ["Which robotics companies", "list_companies", { category: ["robotics"], limit: 1 }, true],
  ["Which robotics companies", "list_companies", { category: ["robotics"], fields: ["company.name"] }, true],
  ["Which robotics companies", "find", { q: "robotics" }, false],
  ["For which rounds was no amount", "list_rounds", { disclosed: false, sort: "announced_date_asc" }, true],
  ["What are the largest funding rounds", "list_rounds", { sort: "amount_desc", limit: 1 }, false],
  ["What are the largest funding rounds", "list_rounds", { sort: "amount_desc", limit: 60 }, true],
  ["What are the largest funding rounds", "list_rounds", { sort: "amount_asc" }, false],
  ["How did seed and series A", "list_rounds", { deal_types: ["seed", "series_a"], limit: 1 }, false],
] as const)("for “%s …”, %s %j: %s", async (start, name, given, right) => {
  expect(await isCallRight(ask, { name, arguments: given }, asking(start))).toBe(right);
});

describe("a first call is graded by its outcome", () => {
  const outcome = (rows: string, count: number | undefined = rows.length, rest: Partial<Outcome> = {}): Outcome => ({
    form: "list",
    about: "round",
    rows: rows.split(""),
    count,
    figures: [],
    further: undefined,
    ...rest,
  });
  test.each([
    ["rows", "abc", 3, "cab", 3, true],
    ["rows", "abc", 3, "abd", 3, false],
    ["rows", "abc", 3, "a", 3, true],
    ["rows", "abc", 3, "", 3, false],
    ["rows", "abc", 30, "xyz", 30, false],
    ["rows", "abc", 30, "cde", 30, true],
    ["rows", "abc", 30, "abc", 31, false],
    ["order", "abc", 30, "ab", 30, true],
    ["order", "abc", 30, "abcde", 30, true],
    ["order", "abc", 30, "abced", 30, false],
    ["order", "abc", 30, "ba", 30, false],
    ["order", "abc", 30, "a", 30, false],
    ["order", "a", 1, "a", 1, true],
    ["count", "a", 30, "xyz", 30, true],
    ["count", "a", 0, "", 0, false],
    ["groups", "abc", 30, "cab", 30, true],
    ["groups", "abc", 30, "abcd", 30, true],
    ["groups", "abc", 30, "ab", 30, false],
    ["first", "a", undefined, "ab", 2, true],
    ["first", "a", undefined, "ba", 2, false],
  ] as const)("by %s: %s of %s, given %s of %s", (grade, rows, count, given, givenCount, right) => {
    const further = rows === "abc" && count === 30 ? ["d", "e"] : [];
    expect(isRight(outcome(given, givenCount), outcome(rows, count), grade, further)).toBe(right);
  });

  test("rows of another kind are wrong, and so is less than what was asked about a record", () => {
    const rounds = outcome("ab", 2);
    for (const grade of ["rows", "order", "count", "groups"] as const) {
      expect(isRight(outcome("ab", 2, { about: "company" }), rounds, grade)).toBe(false);
      expect(isRight(outcome("ab", 2, { form: "changes" }), rounds, grade)).toBe(false);
    }
    expect(isRight(outcome("", 2, { form: "statistics" }), rounds, "count")).toBe(true);
    const [name, row, record] = (["names", "list", "record"] as const).map((form) => outcome("a", 1, { form }));
    expect([row!, record!].map((given) => isRight(given, name!, "first"))).toEqual([true, true]);
    expect([name!, row!].map((given) => isRight(given, record!, "first"))).toEqual([false, false]);
    const usage = outcome("a", undefined, { form: "usage" });
    expect([isRight(usage, usage, "first"), isRight(row!, usage, "first")]).toEqual([true, false]);
  });

  test("figures are those over everything, or of one group", () => {
    const statistics = (count: number, ...figures: string[]) => outcome("", count, { form: "statistics", figures });
    const right = statistics(3, "median 5");
    expect(isRight(statistics(9, "median 7", "median 5"), right, "figures")).toBe(true);
    expect(isRight(statistics(3, "median 7"), right, "figures")).toBe(false);
    expect(isRight(outcome("abc", 3), right, "figures")).toBe(false);
  });

  test("pages are read until they have the rows that are shown", async () => {
    const pages: Record<string, [ids: string, next: string | null]> = {
      "1": ["ab", "2"],
      "2": ["cd", "3"],
      "3": ["ef", null],
    };
    const asked: string[] = [];
    const paged: CallTool = async (_name, given) => {
      const { cursor = "1", rows } = given as { cursor?: string; rows?: string };
      asked.push(rows ?? cursor);
      const [ids, next_cursor] = rows === undefined ? pages[cursor]! : ([rows, null] as const);
      const data = ids.split("").map((id) => ({ id }));
      const pagination = { count: 6, limit: 2, has_more: next_cursor !== null, next_cursor };
      return { content: [], structuredContent: { data, pagination, cost: 1 } };
    };
    const question: Question = {
      question: "?",
      level: "easy",
      grade: "rows",
      call: { name: "list_rounds", arguments: {} },
    };
    const given = (rows: string) => ({ name: "list_rounds", arguments: { rows } });
    expect(await isCallRight(paged, given("da"), question)).toBe(true);
    expect(asked).toEqual(["1", "da", "2"]);
    expect(await isCallRight(paged, given("ax"), question)).toBe(false);
    expect(await isCallRight(paged, given("abcd"), { ...question, grade: "order" })).toBe(true);
    expect(await isCallRight(paged, given("abdc"), { ...question, grade: "order" })).toBe(false);
  });

  test("an error is never right, and text around a call does not matter", async () => {
    const failing: CallTool = async (_name, given) => ({
      content: [],
      isError: "wrong" in given,
      structuredContent: { data: [{ id: "a" }], cost: 0 },
    });
    const question: Question = { question: "?", level: "easy", grade: "first", call: { name: "find", arguments: {} } };
    expect(await isCallRight(failing, { name: "find", arguments: {} }, question)).toBe(true);
    expect(await isCallRight(failing, { name: "find", arguments: { wrong: 1 } }, question)).toBe(false);
    expect(callIn('I ask:\n```json\n{"name": "find", "arguments": {"q": "a}"}}\n```')).toEqual({
      name: "find",
      arguments: { q: "a}" },
    });
    expect([callIn("no"), callIn("{}")]).toEqual([undefined, undefined]);
  });
});
