import { expect, test } from "vitest";
import { welcome, type Welcome } from "./welcome.ts";

const facts: Welcome = {
  apiUrl: "http://127.0.0.1:3000",
  operatorUrl: "http://127.0.0.1:3001",
  operatorToken: "made-up",
  signInUrl: "http://127.0.0.1:3002/dashboard/sign-in#s3cret",
  key: "trn_key",
  plan: "scale",
  now: "2013-10-31T12:00:00Z",
  sample: "showcase",
  warnings: [],
  engines: "local processes",
  home: "/h",
  isHomeGiven: false,
};

test("with the sample it gives a request that finds something, the clock's day and where the data is from", () => {
  const text = welcome(facts);
  expect(text).toContain(
    'curl -H "Authorization: Bearer trn_key" "http://127.0.0.1:3000/api/v1/funding?investors=sequoia-capital&sort=amount_desc&limit=3"',
  );
  expect(text).toMatch(/Clock +set to 2013-10-31, the last day of the sample/);
  expect(text).toMatch(/real rounds.*CrunchBase/);
  expect(text).toContain("The showcase is fictional");
  expect(welcome({ ...facts, sample: "real" })).not.toContain("showcase");
  expect(text).toMatch(/Ctrl-C stops it; the data stays\.$/);
});

test("without the sample it has today's clock, or the one of TRANCHE_NOW", () => {
  const empty = welcome({ ...facts, sample: "none", now: undefined });
  expect(empty).toMatch(/Clock +today's/);
  expect(empty).not.toContain("CrunchBase");
  expect(welcome({ ...facts, sample: "none" })).toMatch(/Clock +set to 2013-10-31 by TRANCHE_NOW/);
});

test("it says how to open the operators' pages, and never repeats a token that was given", () => {
  expect(welcome(facts)).toContain("http://127.0.0.1:3001/operators/ ");
  expect(welcome(facts)).toContain("token to sign in with: made-up");
  expect(welcome({ ...facts, operatorToken: undefined })).toContain("the one in TRANCHE_OPERATOR_TOKEN");
});

test("the command line is named with the home that it needs", () => {
  expect(welcome(facts)).toMatch(/Commands +npm run -s ops -- --help$/m);
  expect(welcome({ ...facts, isHomeGiven: true })).toMatch(/Commands +TRANCHE_HOME='\/h' npm run -s ops -- --help$/m);
});

test("a sample that is not complete and a due rebuild are warnings, not the end", () => {
  const text = welcome({
    ...facts,
    warnings: ["The sample could not be loaded completely (exit code 1).", "A rebuild is due"],
  });
  expect(text).toContain("Warning: The sample could not be loaded completely (exit code 1).");
  expect(text).toContain("Warning: A rebuild is due");
  expect(text).toContain("curl");
});
