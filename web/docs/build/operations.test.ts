import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type OpenApi, operationsOf } from "./operations.ts";

const document = JSON.parse(readFileSync(new URL("../../../docs/openapi.json", import.meta.url), "utf8")) as OpenApi;
const operations = operationsOf(document);
const operation = (id: string) => operations.find((each) => each.id === id)!;
const parameter = (id: string, name: string) => operation(id).parameters.find((each) => each.name === name)!;

test("every operation of the document has an example of a request and of an answer", () => {
  expect(operations).toHaveLength(Object.keys(document.paths).length);
  for (const { id, url, answer } of operations) {
    expect(url, id).toMatch(/^http:\/\/127\.0\.0\.1:3000\/api\/v1\/[^{}]+$/);
    expect(answer.example, id).not.toBe("undefined");
  }
});

test("the form begins with what is required, and with a filter that finds something", () => {
  expect(operation("getCompany").url).toBe("http://127.0.0.1:3000/api/v1/companies/facebook");
  expect(operation("listSignals").url).toBe("http://127.0.0.1:3000/api/v1/signals?country=Germany");
});

test("what the column beside it says is not said again in the text of a parameter", () => {
  expect(parameter("listFundingRounds", "city")).toMatchObject({
    type: "list",
    excludes: true,
    text: "Cities of the company; case, accents and punctuation do not matter.",
    example: "San Francisco,Boston",
  });
});

test("values that a parameter takes are listed, also behind references and alternatives", () => {
  expect(parameter("listFundingRounds", "sort").values).toContain("amount_desc");
  expect(parameter("listSignals", "signal").values).toContain("just_raised");
  expect(parameter("listFundingRounds", "investors_match").values).toEqual(["any", "all"]);
  expect(parameter("listFundingRounds", "limit").values).toEqual([]);
});

test("the errors of an operation are the codes that lead to their explanation", () => {
  expect(operation("getUsage").errors).toContainEqual({ status: "429", codes: ["rate_limited", "quota_exceeded"] });
});
