import type { NotedDocuments } from "@tranche/shared/queue/noted-investors";
import type { Ticket } from "@tranche/shared/ticket/ticket-clock";
import { createUnproven } from "@tranche/shared/ticket/unproven";
import { expect, test } from "vitest";
import { durableNotes } from "./durable-notes.ts";

test("what is noted again after a loss gets a ticket of its own", async () => {
  const unproven = createUnproven();
  const noted: [number, string[]][] = [];
  const notes = {
    add: async (ticket: number, ids: Iterable<string>) => void noted.push([ticket, [...ids]]),
  } as unknown as NotedDocuments;
  let last = 10;
  const durable = durableNotes({ durably: unproven.durably, take: async () => ++last as Ticket }, notes);
  await durable.add(7 as Ticket, new Set(["i1"]));
  await unproven.lost(0);
  await unproven.lost(0);
  expect(noted).toEqual([
    [7, ["i1"]],
    [11, ["i1"]],
    [12, ["i1"]],
  ]);
});
