import { expect, test } from "vitest";
import { withAnswers, withoutAnswer } from "./answers.ts";

const LAST = { date_order: "day_first", amount_unit: "thousands" };

test("of two answers in quick succession neither is lost", () => {
  const first = withAnswers(LAST, { kind: "rounds" });
  expect(withAnswers(first, { amount_unit: "millions" })).toEqual({
    date_order: "day_first",
    amount_unit: "millions",
    kind: "rounds",
  });
});

test("answers that were taken back do not return", () => {
  const none = withoutAnswer(withoutAnswer(LAST, "date_order"), "amount_unit");
  expect(withAnswers(none, { kind: "rounds" })).toEqual({ kind: "rounds" });
});

test("the next answer leaves out the one that the server refused, and no other", () => {
  const sent = { ...LAST, domain: "Nmae" };
  const refusal = "domain=Nmae: the file has no column 'Nmae'";
  const next = withAnswers(sent, { kind: "rounds" }, refusal);
  expect(next).toEqual({ ...LAST, kind: "rounds" });
  // The page may not have been drawn anew between two answers.
  expect(withAnswers({ ...next, domain: "Name" }, { amount_unit: "ones" }, refusal)).toEqual({
    date_order: "day_first",
    amount_unit: "ones",
    kind: "rounds",
    domain: "Name",
  });
  expect(withAnswers(LAST, {}, "date_order: something else is wrong")).toEqual(LAST);
});
