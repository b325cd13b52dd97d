import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { assertWritable } from "./building.ts";

test("a folder that may be written to is taken", () => {
  expect(() => assertWritable(import.meta.dirname)).not.toThrow();
});

test("where the user may not write, it says what to do", () => {
  // Root may write everywhere.
  const script = `import(${JSON.stringify(`${import.meta.dirname}/building.ts`)}).then(({ assertWritable }) => {
    if (process.getuid() === 0) process.setuid(65534);
    assertWritable("/");
  });`;
  expect(() => execFileSync(process.execPath, ["--eval", script], { stdio: "pipe" })).toThrow(
    "this user may not write to /. Run `npm run build` as the owner",
  );
});
