import { expect, test } from "vitest";
import type { Ticket, TicketClock } from "./ticket-clock.ts";

/** Stands for everything that asks for a ticket: `tsc` checks this file, so a line that should not compile and does fails the check. */
const numberOf = (ticket: Ticket): number => ticket;

test("only the clock's `take` makes a ticket: the compiler refuses numbers, versions and the time", async () => {
  const clock: TicketClock = {
    take: async () => 7 as Ticket,
    takeBy: () => Promise.reject(new Error("not asked")),
    takeVersions: async () => 8,
    end: async () => {},
    saveClock: async () => {},
    isSettling: () => false,
    lostNumbers: () => [],
    forgetLost: async () => {},
    durably: (tell) => tell,
  };
  expect(numberOf(await clock.take())).toBe(7);
  // @ts-expect-error A number is not a ticket.
  expect(numberOf(7)).toBe(7);
  // @ts-expect-error Nor is the version of a record, which comes from the same clock.
  expect(numberOf(await clock.takeVersions(1))).toBe(8);
  // @ts-expect-error Nor is what was calculated from a ticket.
  expect(numberOf((await clock.take()) + 1)).toBe(8);
});
