import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { expect, test } from "vitest";
import { fetchRange } from "../read/company-range.ts";
import { readSources } from "../read/document-sources.ts";
import { readFigures } from "../read/investor-figures.ts";
import { type Outgoing, outgoing, outgoingTo } from "../write/outgoing.ts";
import { readInvestorTargets, readTargets } from "../write/targets.ts";
import { deriveBatch } from "./derive-batch.ts";
import { readInvestorRecords } from "./derive-investors.ts";
import { publishBatch } from "./publish-batch.ts";

/** Whether a function's argument at a position is a ticket, so that a plain number does not compile there. */
type TakesTicket<F extends (...args: never[]) => unknown, At extends number> = Parameters<F>[At] extends Ticket
  ? Ticket extends Parameters<F>[At]
    ? true
    : false
  : false;

test("functions that read sources, read targets or publish do not compile without a ticket", () => {
  const checked: true[] = [
    true satisfies TakesTicket<typeof readSources, 1>,
    true satisfies TakesTicket<typeof fetchRange, 1>,
    true satisfies TakesTicket<typeof readTargets, 1>,
    true satisfies TakesTicket<typeof deriveBatch, 1>,
    true satisfies TakesTicket<typeof readFigures, 1>,
    true satisfies TakesTicket<typeof readInvestorTargets, 1>,
    true satisfies TakesTicket<typeof readInvestorRecords, 1>,
    true satisfies TakesTicket<typeof outgoing, 0>,
    true satisfies TakesTicket<typeof outgoingTo, 2>,
    // @ts-expect-error A plain number is not a ticket.
    true satisfies TakesTicket<(ticket: number) => void, 0>,
  ];
  expect(checked).not.toContain(false);
  type Published = Parameters<typeof publishBatch>[1]["ticket"];
  // @ts-expect-error A derivation to publish has a ticket, not a number.
  const plain: Published = 7;
  // @ts-expect-error Documents to publish have a ticket, not a number.
  const alsoPlain: Outgoing["ticket"] = 8;
  expect([plain, alsoPlain]).toEqual([7, 8]);
});
