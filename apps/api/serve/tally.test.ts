import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { createTally } from "./tally.ts";

test("every count is seen whenever somebody looks, once", async () => {
  const registry = new Registry();
  const count = createTally({ name: "seen", help: "Seen", labelNames: ["a", "b"], registers: [registry] });
  const [first, second, never] = [count("1", "x"), count("2", "x"), count("3", "x")];
  const seen = async () => (await registry.metrics()).split("\n").filter((line) => line.startsWith("seen{"));
  expect(await seen()).toEqual([]);
  for (let n = 0; n < 3; n++) first();
  second();
  expect(await seen()).toEqual(['seen{a="1",b="x"} 3', 'seen{a="2",b="x"} 1']);
  first();
  expect(await seen()).toEqual(['seen{a="1",b="x"} 4', 'seen{a="2",b="x"} 1']);
  expect(never).toBeTypeOf("function");
});
