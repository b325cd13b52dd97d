import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const WORKFLOWS = globSync(".github/workflows/*.yml");

test("workflows use actions by commit, because a tag can be moved by others", () => {
  const used = WORKFLOWS.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/uses: (.+)/g)].map(([, action]) => `${file}: ${action}`),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((action) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});
