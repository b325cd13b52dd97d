import { expect, test } from "vitest";
import { changesPage } from "./changes-page.ts";
import { afterCopy, atHorizon } from "./position.ts";

const NOTHING = { ids: [], documents: [], sorted: [], matched: [] };
const END = { epoch: "e", horizon: 1000e6 };
const nextAfter = (after: ReturnType<typeof atHorizon>) =>
  changesPage(NOTHING, { after, end: END, limit: 10, row: () => "" }).next;

test("readers who have read everything have the same position, wherever they began", () => {
  const began = [atHorizon("e", 1e6), atHorizon("e", 2e6), afterCopy({ epoch: "e", horizon: 3e6 }, { clock: 4e6 })];
  expect(began.map(nextAfter)).toEqual(began.map(() => atHorizon("e", END.horizon)));
});

test("what a reader may know above the horizon stays in its position", () => {
  const after = afterCopy({ epoch: "e", horizon: 999e6 }, { clock: 1001e6 });
  expect(nextAfter(after).known).toBe(after.known);
});
