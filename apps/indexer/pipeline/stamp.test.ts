import { allMoved, type ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { expect, test } from "vitest";
import { digestsOf, groupDigests } from "./digests.ts";
import { changeTickets } from "./stamp.ts";

const NOW = 9 as Ticket;
/** The digests of six groups of fields. */
const F = "l n p f t s";
const FORMER: ChangeTickets = { changed: 5, created: 2, ...allMoved(3), content_hash: "a", filters_hash: F };
const at = (tickets: ChangeTickets) => [tickets.changed, tickets.created, tickets.moved_place];

test("what is derived again with the same content keeps its tickets", () => {
  expect(changeTickets(NOW, { content_hash: "a", filters_hash: F }, FORMER, true)).toEqual(FORMER);
});

test("other content is a change, and a move when a field that filters use is another", () => {
  expect(at(changeTickets(NOW, { content_hash: "b", filters_hash: F }, FORMER, true))).toEqual([9, 2, 3]);
  expect(at(changeTickets(NOW, { content_hash: "b", filters_hash: "l n P f t s" }, FORMER, true))).toEqual([9, 2, 9]);
});

test("only the groups of fields that are another have moved; all have where digests are not known", () => {
  const changed = (filters_hash: string) => changeTickets(NOW, { content_hash: "b", filters_hash }, FORMER, true);
  expect(changed("l n P f t S")).toMatchObject({ ...allMoved(3), moved_place: 9, moved_signals: 9 });
  expect(changed("gone")).toMatchObject({ ...allMoved(9) });
  const before = { ...FORMER, filters_hash: "gone" };
  expect(changeTickets(NOW, { content_hash: "b", filters_hash: F }, before, true)).toMatchObject(allMoved(9));
  expect(changeTickets(NOW, { content_hash: "a", filters_hash: F }, FORMER, false)).toMatchObject(allMoved(9));
});

test("a new document was created now; one that is not certain was created at an unknown time", () => {
  const digests = { content_hash: "a", filters_hash: F };
  expect(at(changeTickets(NOW, digests, undefined, true))).toEqual([9, 9, undefined]);
  expect(at(changeTickets(NOW, digests, FORMER, false))).toEqual([9, 0, 9]);
  expect(at(changeTickets(NOW, digests, undefined, false))).toEqual([9, 0, 9]);
});

test("a group of fields that has not moved since its document was created has no ticket", () => {
  const created = changeTickets(3 as Ticket, { content_hash: "a", filters_hash: F }, undefined, true);
  const moved = changeTickets(NOW, { content_hash: "b", filters_hash: "l n P f t s" }, created, true);
  expect(moved).toEqual({ changed: 9, created: 3, moved_place: 9, content_hash: "b", filters_hash: "l n P f t s" });
});

test("digests separate fields of filters from fields that are only shown, and leave out when time changes a document", () => {
  const company = {
    listed: true,
    company_id: "c1",
    country: "DE",
    next_change_at: "2026-01-01",
    row: "{}",
    instances: [],
  };
  const first = digestsOf("companies", company);
  expect(digestsOf("companies", { ...company, next_change_at: "2026-02-01", instances: [1] })).toEqual(first);
  const shown = digestsOf("companies", { ...company, row: '{"a":1}' });
  expect([shown.content_hash === first.content_hash, shown.filters_hash === first.filters_hash]).toEqual([false, true]);
  const moved = digestsOf("companies", { ...company, country: "AT" });
  expect(moved.content_hash).not.toBe(first.content_hash);
  const groups = ({ filters_hash }: { filters_hash: string }) => groupDigests(filters_hash)!;
  expect(groups(moved).map((digest, n) => digest === groups(first)[n])).toEqual([true, true, false, true, true, true]);
  expect(digestsOf("companies", { gone: true })).toEqual({ content_hash: "gone", filters_hash: "gone" });
  const kept = { gone: true, was_listed: true, was_company_id: "c1", was_country: "DE" };
  expect(digestsOf("companies", kept)).toEqual({ content_hash: "gone", filters_hash: first.filters_hash });
});
