import * as fc from "fast-check";
import { expect, test } from "vitest";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import { makeWorld, type Round } from "./support/world.ts";
import { fetchUnlessBusy } from "./support/unless-busy.ts";

const LIMIT_CENTS = 9_000_000_000_000_000n;
/** Cents of amounts of all sizes: small and large ones with cents, and those around the numbers that hold single cents no longer. */
const cents = fc.oneof(
  fc.bigInt(0n, 10_000n),
  fc.bigInt(0n, 2n ** 46n * 100n),
  fc.bigInt(1n, 90n).map((n) => 10n ** 12n * n + 99n),
);
const AMOUNT = /^\d+(\.\d{1,2})?$/;
const [ROUNDS, GROUPS] = [600, 300];

const { engines, service } = withService();

type Group = { key: string; count: string; [figure: string]: string | null };
/** Numbers as they are written in the text: doubles would lose their cents. */
const asWritten = (_: string, value: unknown, { source }: { source?: string } = {}) =>
  typeof value === "number" ? source : value;
const read = (text: string) => JSON.parse(text, asWritten) as { data: Group[]; total: Group };

const dollars = (sum: bigint): string =>
  `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`.replace(/\.?0{1,2}$/, "");
const largest = (of: readonly bigint[]) => of.reduce((a, b) => (a > b ? a : b));

test("sums are those of decimal arithmetic up to the limit, and no answer is malformed above it", async () => {
  const [amounts] = fc.sample(fc.array(cents, { minLength: ROUNDS, maxLength: ROUNDS }), { seed: 513, numRuns: 1 });
  const made = makeWorld(ROUNDS, 513);
  const rounds = made.rounds.map((each, n): Round & { cents: bigint } => {
    // Of each company a few; the last ones are as large as only amounts from before the limit are.
    const value = n < ROUNDS - 20 ? amounts![n]! : 99_999_999_999_999_900n + BigInt(n % 3);
    const company = { ...each.company, id: `co-${n < ROUNDS - 20 ? n % GROUPS : `old-${n % 5}`}` };
    return { ...each, company, amount: Number(dollars(value)), cents: value };
  });
  const companies = made.companies.map((company, n) => ({
    ...company,
    totalRaised: Number(dollars(n % 9 === 0 ? 99_999_999_999_999_900n : amounts![n % ROUNDS]!)),
  }));
  await storeWorld(engines, service.namespace, { rounds, companies });
  await service.startApi();
  const key = await service.key();
  const ask = async (path: string) => {
    const response = await fetchUnlessBusy(`${service.base}/${path}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return read(text);
  };
  for (const sort of ["total_amount_desc", "key_asc"]) {
    const { data } = await ask(`funding/stats?group_by=company&limit=1000&sort=${sort}`);
    let exact = 0;
    for (const group of data) {
      const own = rounds.filter(({ company }) => company.id === group.key).map((each) => each.cents);
      const sum = own.reduce((a, b) => a + b);
      if (sum > LIMIT_CENTS) continue;
      exact++;
      const average = (2n * sum + BigInt(own.length)) / (2n * BigInt(own.length));
      expect([group.key, group.total_amount_usd, group.average_amount_usd, group.max_amount_usd]).toEqual([
        group.key,
        dollars(sum),
        dollars(average),
        dollars(largest(own)),
      ]);
    }
    expect(exact).toBeGreaterThan(200);
    expect(data.length).toBeGreaterThan(exact);
  }
  for (const by of ["", "group_by=country", "group_by=month&limit=3", "group_by=deal_type,amount_band"]) {
    expect((await ask(`funding/stats?${by}`)).total.total_amount_usd).toMatch(AMOUNT);
  }
  for (const by of ["", "group_by=signal", "group_by=country&limit=2", "group_by=city,category"]) {
    const { data, total } = await ask(`signals/stats?${by}`);
    for (const { total_raised_usd } of [...data, total]) expect(total_raised_usd ?? "0").toMatch(AMOUNT);
  }
  for (const list of ["companies", "signals", "funding"]) await ask(`${list}?limit=100`);
});
