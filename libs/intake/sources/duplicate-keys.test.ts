import fc from "fast-check";
import { expect, test } from "vitest";
import { countKeys, duplicateKeys } from "./duplicate-keys.ts";

const found = (json: string) => duplicateKeys(json, countKeys(JSON.parse(json), 100));

test.each([
  ['{"id":1,"name":"a","name":"b"}', ["name"]],
  ['{"name" :1,\r\n"name"\t: 2, "name":3}', ["name"]],
  ['{"investors":[{"is_lead":1},{"is_lead":1,"is_lead":2}],"id":1}', ["investors[].is_lead"]],
  ['{"a":{"b":{"c":1,"c":2}},"a":3}', ["a.b.c", "a"]],
  [String.raw`{"name":1,"n\u0061me":2}`, ["name"]],
  [String.raw`{"a\\":1,"a\\":2,"a\"":1}`, ["a\\"]],
  ['{"__proto__":1,"__proto__":2}', ["__proto__"]],
  ['[[1],{"a":1,"a":1}]', ["[].a"]],
  ['{"":1,"":2}', [""]],
])("%s has %j twice", (json, keys) => {
  expect(found(json)).toEqual(keys);
});

test.each([
  "{}",
  "7",
  '"a:\\":"',
  '{"a":"\\"a\\":1","b":"a: b","c":{"a":1},"d":[{"a":1},{"a":2}]}',
  String.raw`{"a":"\u003a","b\"":":","b\\":"\\"}`,
])("%s has no key twice", (json) => {
  expect(found(json)).toEqual([]);
});

const key = fc.constantFrom("a", "b", 'q"', "back\\", "a:", "é", "__proto__", "");
type Pairs = ["object", [string, Tree][]];
type Tree = number | string | null | ["array", Tree[]] | Pairs;
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<Tree>(1, null, '":', "\\"),
    fc.tuple(fc.constant("array" as const), fc.array(tie("tree"), { maxLength: 4 })),
    fc.tuple(fc.constant("object" as const), fc.array(fc.tuple(key, tie("tree")), { maxLength: 5 })),
  ),
}));
const written = (of: Tree): string => {
  if (!Array.isArray(of)) return JSON.stringify(of);
  if (of[0] === "array") return `[${of[1].map(written).join(" , ")}]`;
  return `{${of[1].map(([name, value]) => `${JSON.stringify(name)} :${written(value)}`).join(",")}}`;
};
const repeats = (of: Tree): boolean => {
  if (!Array.isArray(of)) return false;
  if (of[0] === "array") return of[1].some(repeats);
  const names = of[1].map(([name]) => name);
  return new Set(names).size < names.length || of[1].some(([, value]) => repeats(value));
};

test("the check finds something exactly when an object has a key twice", () => {
  fc.assert(
    fc.property(tree, (of) => {
      expect(found(written(of)).length > 0).toBe(repeats(of));
    }),
    { seed: 1, numRuns: 2000 },
  );
});

test.each([
  ["keys", `{${Array.from({ length: 80_000 }, (_, i) => `"k${i}":1`).join(",")},"k0":1}`],
  ["backslashes", `{"a":"${"\\\\".repeat(500_000)}","a":1}`],
  ["escaped quotes", `{"a":"${'\\"'.repeat(500_000)}","a":1}`],
  [
    "duplicates deep in a value that was replaced",
    `{"a":${"[".repeat(250_000)}${'{"b":1,"b":1},'.repeat(35_000)}1${"]".repeat(250_000)},"a":1}`,
  ],
  ["blanks", `{"a"${" ".repeat(1_000_000)}:1,"a":1}`],
])("1 MiB of %s takes linear time", (_, json) => {
  const value = JSON.parse(json);
  const started = performance.now();
  expect(duplicateKeys(json, countKeys(value, 100))).toHaveLength(1);
  expect(performance.now() - started).toBeLessThan(2000);
});
