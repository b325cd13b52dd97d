import {
  KEPT_MINUTES,
  type NotedMinute,
  OTHERS,
  type SenderParts,
  type SenderSums,
} from "@tranche/shared/accounts/request-sums";
import { expect, test } from "vitest";
import { figuresBySender, keyNames, partsOf, type Tally, totalOf } from "./figures.ts";

const sender = (of: Partial<SenderSums>): SenderSums => ({ statuses: {}, slow: 0, ms: 0, ...of });
const parts = (of: Partial<SenderParts>): SenderParts => ({ keys: {}, addresses: {}, routes: {}, ...of });

/** What a tally makes of minutes. */
function sumOf<T>(minutes: readonly NotedMinute[], tally: Tally<T>): T {
  for (const minute of minutes) tally.add(minute);
  return tally.result();
}

/** An hour of which these minutes, counted from the newest, have something. */
const hour = (of: Record<number, Partial<NotedMinute>>): NotedMinute[] =>
  Array.from({ length: KEPT_MINUTES }, (_, n) => ({ place: n, sums: [], parts: [], ...of[KEPT_MINUTES - 1 - n] }));

test("the figures of a sender are those of all processes and minutes together", () => {
  const minutes = hour({
    0: {
      sums: [
        { a: sender({ statuses: { 200: 3, 429: 1 }, slow: 1, ms: 100 }), b: sender({ statuses: { 304: 1 }, ms: 1 }) },
        { a: sender({ statuses: { 200: 1 }, ms: 50 }) },
      ],
    },
    5: { sums: [{ a: sender({ statuses: { 503: 1, 304: 2 }, ms: 50 }) }] },
  });
  const figures = sumOf(minutes, figuresBySender());
  const { a, b } = Object.fromEntries(figures);
  expect(a).toMatchObject({
    requests: 8,
    recent: 5,
    by_status: { 200: 4, 429: 1, 503: 1, 304: 2 },
    refused: 1,
    failed: 1,
    slow: 1,
    average_ms: 25,
  });
  expect(a!.by_minute["2xx"].at(-1)).toBe(4);
  expect([a!.by_minute["5xx"].at(-6), a!.by_minute["3xx"].at(-6), a!.by_minute["5xx"].at(-1)]).toEqual([1, 2, 0]);
  expect(b).toMatchObject({ requests: 1, average_ms: 1 });
  const total = totalOf(figures.values());
  expect([total.requests, total.by_minute["3xx"].at(-1), total.by_minute["3xx"].at(-6)]).toEqual([9, 1, 2]);
});

test("parts are summed by name, the most requests first; both forms of an IPv4 address are one", () => {
  const minutes = hour({
    0: { parts: [parts({ addresses: { "::ffff:192.0.2.1": [2, 1, 0, 0], "192.0.2.9": [9, 0, 0, 0] } })] },
    1: { parts: [parts({ addresses: { "192.0.2.1": [1, 0, 1, 1] } })] },
  });
  expect(sumOf(minutes, partsOf("addresses"))).toEqual([
    { name: "192.0.2.9", requests: 9, refused: 0, failed: 0, slow: 0 },
    { name: "192.0.2.1", requests: 3, refused: 1, failed: 1, slow: 1 },
  ]);
  expect(sumOf(minutes, partsOf("keys"))).toEqual([]);
});

test("of any number of networks the busiest are shown, and the sum of all others last", () => {
  const networks = Object.fromEntries(
    Array.from({ length: 150 }, (_, n) => [`10.0.0.${n}`, [n + 1, 1, 0, 0] as const]),
  );
  const minutes = hour({ 0: { parts: [parts({ addresses: { ...networks, [OTHERS]: [7000, 0, 0, 1] } as never })] } });
  const shown = sumOf(minutes, partsOf("addresses"));
  expect(shown).toHaveLength(101);
  expect(shown[0]).toMatchObject({ name: "10.0.0.149", requests: 150 });
  expect(shown.at(-1)).toEqual({ name: OTHERS, requests: 7000 + (50 * 51) / 2, refused: 50, failed: 0, slow: 1 });
});

test("keys with one name are told apart, and sessions are one sum", () => {
  const names = keyNames([
    { key_id: "k1", name: "import", prefix: "trn_8kQ2mZ0a_abcd…" },
    { key_id: "k2", name: "import", prefix: "trn_8kQ2mZ0a_efgh…" },
    { key_id: "k3", name: "site", prefix: "trn_8kQ2mZ0a_ijkl…" },
    { key_id: "k4", name: OTHERS, prefix: "trn_8kQ2mZ0a_mnop…" },
  ]);
  const keys = {
    k1: [1, 0, 0, 0],
    k2: [2, 0, 0, 0],
    k3: [3, 0, 0, 0],
    k4: [9, 0, 0, 0],
    s1: [4, 0, 0, 0],
    s2: [4, 0, 0, 0],
  } as never;
  const minutes = hour({ 0: { parts: [parts({ keys })] } });
  expect(
    sumOf(
      minutes,
      partsOf("keys", (id) => names.get(id) ?? "sessions"),
    ).map(({ name, requests }) => [name, requests]),
  ).toEqual([
    ["* (trn_8kQ2mZ0a_mnop…)", 9],
    ["sessions", 8],
    ["site", 3],
    ["import (trn_8kQ2mZ0a_efgh…)", 2],
    ["import (trn_8kQ2mZ0a_abcd…)", 1],
  ]);
});
