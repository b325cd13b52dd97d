import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { fileInputs } from "./inputs.ts";

test("runs have the names of files without their folders, people the names that they gave", async () => {
  const paths = ["/home/ada/deals.csv", "old/deals.csv", "-"];
  const inputs = await fileInputs(paths, Readable.from([]));
  expect(inputs.map(({ file }) => file)).toEqual(["deals.csv", "deals.csv (2)", "standard input"]);
  expect(inputs.map(({ name }) => name)).toEqual(["/home/ada/deals.csv", "old/deals.csv", "standard input"]);
});

test("the version of a file has the name of the run", async () => {
  const [input] = await fileInputs([import.meta.filename], Readable.from([]));
  expect(input!.version).toMatchObject({ file: "inputs.test.ts", bytes: expect.any(Number) });
});
