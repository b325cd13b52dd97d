import { expect, test } from "vitest";
import { earliestDigestAt, type Frequency, MAX_A_DAY, nextDigestAt } from "./follow.ts";

// A Sunday.
const NOW = Date.parse("2026-11-29T12:00:00Z");
const next = (every: Frequency, now: string, sent: string[] = []) =>
  new Date(nextDigestAt(every, Date.parse(now), sent.map(Date.parse))).toISOString();

test.each<[Frequency, string, string]>([
  ["at_once", "2026-11-29T12:00:00Z", "2026-11-29T12:15:00.000Z"],
  ["daily", "2026-11-29T06:59:59Z", "2026-11-29T07:00:00.000Z"],
  ["daily", "2026-11-29T07:00:00Z", "2026-11-30T07:00:00.000Z"],
  ["daily", "2026-12-31T12:00:00Z", "2027-01-01T07:00:00.000Z"],
  ["weekly", "2026-11-29T12:00:00Z", "2026-11-30T07:00:00.000Z"],
  ["weekly", "2026-11-30T07:00:00Z", "2026-12-07T07:00:00.000Z"],
])("%s, the next digest after %s is at %s", (every, now, expected) => expect(next(every, now)).toBe(expected));

test("at most 20 mails leave at once in any 24 hours", () => {
  const sent = Array.from({ length: MAX_A_DAY }, (_, n) => NOW - (MAX_A_DAY - n) * 16 * 60_000);
  expect(nextDigestAt("at_once", NOW, sent.slice(1))).toBe(NOW + 15 * 60_000);
  expect(nextDigestAt("at_once", NOW, sent)).toBe(sent[0]! + 86_400_000);
  expect(nextDigestAt("at_once", NOW, [NOW - 86_000_000, ...sent])).toBe(sent[0]! + 86_400_000);
});

test("a digest is made a quarter of an hour after the last and 20 times a day, whatever is due", () => {
  expect(earliestDigestAt([])).toBe(0);
  expect(earliestDigestAt([NOW - 1000, NOW])).toBe(NOW + 15 * 60_000);
  const many = Array.from({ length: MAX_A_DAY }, (_, n) => NOW + n * 16 * 60_000);
  expect(earliestDigestAt(many)).toBe(NOW + 86_400_000);
  expect(earliestDigestAt([NOW - 1, ...many])).toBe(NOW + 86_400_000);
});
