import { globSync, readFileSync } from "node:fs";
import { NODE_FLAGS } from "@tranche/shared/process/v8-flags";
import { describe, expect, test } from "vitest";

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

describe("the image", () => {
  test("gets the package.json of every workspace before it installs", () => {
    const workspaces = globSync("{apps/*,libs/*,web}/package.json", { cwd: new URL("../../", import.meta.url) });
    const copied = [...read("Dockerfile").matchAll(/^COPY (\S+\/package\.json) /gm)].map((line) => line[1]);
    expect(copied).toEqual(workspaces.toSorted());
  });

  test("starts the programs with the flags that npm run gives them", () => {
    expect(read("infra/image/run")).toContain(` ${NODE_FLAGS.join(" ")} `);
  });
});
