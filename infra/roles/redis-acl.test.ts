import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const users = readFileSync(new URL("./redis.acl", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("user tranche-"))
  .map((line) => {
    const [, user, ...rules] = line.split(" ");
    return { user: user!, rules: rules.filter((rule) => /^[+-]/.test(rule)) };
  });

/** Commands that not all processes need: blocking ones to work on queues, `WAIT` to have what was enqueued confirmed by replicas. */
const EXTRAS: Record<string, string[]> = {
  "tranche-api": [],
  "tranche-indexer": ["+@blocking"],
  "tranche-operators": ["+wait"],
  "tranche-dashboard": [],
  "tranche-ops": ["+@blocking", "+scan", "+wait"],
};

test("the users of Redis may use the same commands, but for named extras", () => {
  const common = users.find(({ user }) => user === "tranche-dashboard")!.rules;
  expect(users.map(({ user, rules }) => [user, rules])).toEqual(
    Object.entries(EXTRAS).map(([user, extras]) => [user, [...common, ...extras]]),
  );
});
