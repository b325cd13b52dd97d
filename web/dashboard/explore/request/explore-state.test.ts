import { describe, expect, test } from "vitest";
import { filtersOf, hrefOf, readExploreState, restarted, savedQuery } from "./explore-state.ts";

const LISTS = ["funding", "signals", "companies", "investors"];

describe("the URL of Explore", () => {
  test.each([
    "/dashboard/explore/funding",
    "/dashboard/explore/signals?signal=just_raised,!layoffs&signal_match=all&view=charts",
    "/dashboard/explore/funding?investors=%22Kleiner,%20Perkins%22&sort=amount_desc&cursor=abc&page=3",
    "/dashboard/explore/companies?nonsense=1&q=%C5%A0",
  ])("%s is the same after reading and writing", (url) => {
    expect(hrefOf(readExploreState(url, LISTS)!)).toBe(url);
  });

  test("without a list is that of funding rounds, and an unknown list is none", () => {
    expect(readExploreState("/dashboard/explore", LISTS)).toEqual({
      list: "funding",
      params: [],
      view: "table",
      page: 1,
    });
    expect(readExploreState("/dashboard/explore/people", LISTS)).toBeUndefined();
  });

  test("with nonsense in its own members falls back, and other nonsense goes to the API", () => {
    expect(readExploreState("/dashboard/explore/funding?view=x&page=-1&format=flat&foo=1", LISTS)).toEqual({
      list: "funding",
      params: [["foo", "1"]],
      view: "table",
      page: 1,
    });
  });

  test("starts over without its position", () => {
    const explore = readExploreState("/dashboard/explore/funding?country=US&cursor=abc&page=3&limit=20", LISTS)!;
    expect(hrefOf(restarted(explore, { sort: "amount_desc" }))).toBe(
      "/dashboard/explore/funding?country=US&limit=20&sort=amount_desc",
    );
    expect(filtersOf(explore.params)).toEqual([["country", "US"]]);
    expect(savedQuery([...explore.params, ["sort", "amount_desc"]])).toBe("country=US&sort=amount_desc");
  });
});
