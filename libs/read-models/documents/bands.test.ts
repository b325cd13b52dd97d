import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_BANDS, type AmountBand, amountBand, amountsOf, cents, scoreBand } from "./bands.ts";

describe("an amount", () => {
  test.each([
    [0, "under_100k"],
    [99_999.99, "under_100k"],
    [100_000, "100k_1m"],
    [999_999.99, "100k_1m"],
    [1_000_000, "1m_5m"],
    [5_000_000, "5m_10m"],
    [10_000_000, "10m_50m"],
    [50_000_000, "50m_100m"],
    [100_000_000, "100m_500m"],
    [499_999_999.99, "100m_500m"],
    [500_000_000, "over_500m"],
    [999_999_999_999_999, "over_500m"],
    [null, null],
  ])("of %s is in the band %s", (dollars, band) => expect(amountBand(dollars)).toBe(band));

  test("is in the band whose lowest and highest amounts are around it", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 45 }), (n) => {
        const dollars = n / 100;
        const inside = (Object.keys(AMOUNT_BANDS) as AmountBand[]).filter((band) => {
          const { least, most = Number.POSITIVE_INFINITY } = amountsOf(band);
          return least <= dollars && dollars <= most;
        });
        expect(inside).toEqual([amountBand(dollars)]);
      }),
    );
  });

  test("in cents is whole, and gives the same dollars", () => {
    expect([cents(0.29), cents(1.005), cents(null)]).toEqual([29, 100, null]);
    fc.assert(
      fc.property(fc.nat({ max: 2 ** 52 }), (n) => {
        expect(cents(n / 100)).toBe(n);
      }),
    );
  });
});

test.each([
  [0, 0],
  [9, 0],
  [10, 10],
  [89, 80],
  [99, 90],
  [100, 90],
])("a score of %s is in the tens of %s", (score, tens) => expect(scoreBand(score)).toBe(tens));
