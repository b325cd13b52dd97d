import { expect, test } from "vitest";
import { createFollower } from "./generations.ts";

const step = (before: string, country: string) =>
  `${before}\n${JSON.stringify({ redrawn: [], moved: [{ id: "one", is: { country } }] })}`;
const DEPENDENCIES = { filters: [{ field: "country", anyOf: ["US"] }], ids: [] };

test("the changes of generations that were not read count, too", async () => {
  const steps = new Map([
    ["4", step("3", "DE")],
    ["3", step("2", "FR")],
    ["6", step("5", "DE")],
    ["5", step("4", "US")],
  ]);
  const follow = createFollower(async (id) => steps.get(id) ?? null);
  const second = await follow("2");
  const fourth = await follow("4");
  expect(fourth).toMatchObject({ id: "4", number: second.number + 2 });
  expect(fourth.log.isStillValid(second, DEPENDENCIES)).toBe(true);
  const sixth = await follow("6");
  expect(sixth.log.isStillValid(second, DEPENDENCIES)).toBe(false);
  expect(sixth.log.isStillValid(fourth, DEPENDENCIES)).toBe(false);
  expect(await follow("6")).toBe(sixth);
});

test("where a step is missing, anything may have changed", async () => {
  const steps = new Map([["3", step("2", "DE")]]);
  const follow = createFollower(async (id) => steps.get(id) ?? null);
  const first = await follow("1");
  const third = await follow("3");
  expect(third.log.isStillValid(first, DEPENDENCIES)).toBe(false);
  const other = await follow("9");
  expect(other.log.isStillValid(third, DEPENDENCIES)).toBe(false);
});

test("several readers that meet a generation at once go one after another, and one that failed does not stop the next", async () => {
  let asked = 0;
  const follow = createFollower(async (id) => {
    if (++asked === 1) throw new Error("away");
    return id === "2" ? step("1", "DE") : null;
  });
  await expect(follow("1")).rejects.toThrow("away");
  const [first, second, again] = await Promise.all([follow("1"), follow("2"), follow("2")]);
  expect([first.number, second.number, again.number]).toEqual([1, 2, 2]);
  expect(second.log.isStillValid(first, DEPENDENCIES)).toBe(true);
});
