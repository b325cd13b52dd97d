import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import type { NamedMapping } from "@tranche/intake/sources/stored-mapping";
import { expect, test } from "vitest";
import { mappingOf } from "./mapping-of.ts";

const STORED = { named: "deals@2", mapping: {} } as NamedMapping;
/** Is there, whatever else is. */
const FOLDER = "apps";

test("a stored mapping is found beside a folder of its name", async () => {
  const asked: object[] = [];
  const stored = async (name: object) => {
    asked.push(name);
    return STORED;
  };
  expect(await mappingOf(FOLDER, stored)).toBe(STORED);
  expect(await mappingOf("deals@2", stored)).toBe(STORED);
  expect(asked).toEqual([
    { name: FOLDER, version: undefined },
    { name: "deals", version: 2 },
  ]);
});

test("a file comes before a stored mapping", async () => {
  const stored = () => Promise.reject(new Error("was asked for"));
  expect(await mappingOf("docs/examples/several-currencies.map.json", stored)).not.toHaveProperty("named");
});

test.each([
  [FOLDER, `--map ${FOLDER}: is a folder, expected a file, and no stored mapping of this name`],
  ["deals", "--map deals: there is no such file, and no stored mapping of this name"],
])("says what '%s' is where nothing is stored", async (map, message) => {
  await expect(mappingOf(map, async () => undefined)).rejects.toThrow(new BadMapping(message));
});
