import { expect, test } from "vitest";
import { fileName } from "./file-name.ts";

const day = new Date("2025-06-15T23:59:00Z");

test("a file is named by the list, its filters and the day, without characters of paths", () => {
  expect(
    fileName(
      {
        list: "funding",
        params: [
          ["country", "DE"],
          ["deal_types", "series_a,!grant"],
          ["investors", "../Köln & Co"],
        ],
      },
      day,
    ),
  ).toBe("funding-de-series-a-grant-koln-co-2025-06-15");
  expect(fileName({ list: "signals", params: [] }, day)).toBe("signals-2025-06-15");
  expect(fileName({ list: "signals", params: [["q", "x".repeat(500)]] }, day).length).toBeLessThan(100);
});
