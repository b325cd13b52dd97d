import type { PendingDocuments } from "@tranche/shared/protocol/queue/pending-documents";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { createUnproven } from "@tranche/shared/protocol/ticket/unproven";
import { expect, test } from "vitest";
import { durablePending } from "./durable-pending.ts";

test("what is added again after a loss gets a ticket of its own", async () => {
  const unproven = createUnproven();
  const added: [number, string[]][] = [];
  const pending = {
    add: async (ticket: number, ids: Iterable<string>) => void added.push([ticket, [...ids]]),
  } as unknown as PendingDocuments;
  let last = 10;
  const durable = durablePending({ durably: unproven.durably, take: async () => ++last as Ticket }, pending);
  await durable.add(7 as Ticket, new Set(["i1"]));
  await unproven.lost(0);
  await unproven.lost(0);
  expect(added).toEqual([
    [7, ["i1"]],
    [11, ["i1"]],
    [12, ["i1"]],
  ]);
});
