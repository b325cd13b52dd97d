import { describe, expect, test } from "vitest";
import { checkForEarlierDay, type DayStore, recordDay } from "./clock-day.ts";

function daysFrom(noted: string | undefined): DayStore & { written: string[] } {
  const written: string[] = [];
  return { written, read: async () => noted, write: async (day) => void written.push(day) };
}

describe("recordDay", () => {
  test.each([
    ["the first day", undefined, ["2013-10-31"]],
    ["a later day than the stored one", "2013-10-30", ["2013-10-31"]],
    ["the stored day", "2013-10-31", []],
    ["an earlier day than the stored one", "2013-11-01", []],
  ])("%s", async (_, noted, written) => {
    const days = daysFrom(noted);
    await recordDay(days, "2013-10-31");
    expect(days.written).toEqual(written);
  });
});

describe("checkForEarlierDay", () => {
  test.each([undefined, "2013-10-30", "2013-10-31"])("does nothing when the stored day is %s", async (noted) => {
    const days = daysFrom(noted);
    await checkForEarlierDay(days, "2013-10-31", () => Promise.reject(new Error("nothing to derive")));
    expect(days.written).toEqual([]);
  });

  test("derives everything again and then stores the earlier day", async () => {
    const days = daysFrom("2013-11-01");
    const rederived: unknown[] = [];
    await checkForEarlierDay(days, "2013-10-31", async (noted) => void rederived.push([noted, ...days.written]));
    expect(rederived).toEqual([["2013-11-01"]]);
    expect(days.written).toEqual(["2013-10-31"]);
  });

  test("keeps the stored day when the derivation can't be enqueued, so that the next start tries again", async () => {
    const days = daysFrom("2013-11-01");
    const away = () => Promise.reject(new Error("away"));
    await expect(checkForEarlierDay(days, "2013-10-31", away)).rejects.toThrow("away");
    expect(days.written).toEqual([]);
  });
});
