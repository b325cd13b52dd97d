import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { changesPage } from "@tranche/read-models/feed/changes-page";
import { changesQuery } from "@tranche/read-models/feed/changes-query";
import { atHorizon, atStart } from "@tranche/read-models/feed/position";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import type { Filter } from "@tranche/read-models/query/filters";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { parseRecord } from "@tranche/shared/domain/records/parse";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import type { Ticket } from "@tranche/shared/protocol/ticket/ticket-clock";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import { LISTED } from "@tranche/read-models/query/list-query";
import { FOLLOWED } from "@tranche/webhooks/followed-lists";
import { expect, test } from "vitest";
import { companyDocument } from "../apps/indexer/derive/company.ts";
import { digestsOf } from "../apps/indexer/pipeline/digests.ts";
import { changeTickets } from "../apps/indexer/pipeline/stamp.ts";
import type { Sources } from "../apps/indexer/read/sources.ts";
import { createRandom } from "./drills/random.ts";
import { withService } from "./support/with-service.ts";

const { client, names } = withService();
const [COMPANIES, DAYS] = [300, 31];
const FIRST = dayOf("2025-06-01");
const FILTERS: Filter[] = [
  ...LISTED,
  { anyOf: ["DE"], field: "country" },
  { bound: "gte", value: 50, field: "signal_score" },
];
const isListed = ({ listed, country, signal_score }: CompanyDocument) =>
  listed && country === "DE" && signal_score >= 50;

/** A company with a few signals of different ages and strengths; most of them fade within months. */
function madeUp(n: number, random: ReturnType<typeof createRandom>): (today: number) => CompanyDocument {
  const id = `fading-${n}`;
  const context = { dealTypes: dealTypes(), today: isoDay(FIRST) };
  const stored = (record: object): StoredRecord<never> => {
    const outcome = parseRecord(record, context);
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
    return { ...outcome.record, version: 1, updated_at: "2025-06-01T00:00:00.000Z" } as unknown as StoredRecord<never>;
  };
  const country = random.pick(["DE", "US", "FR", "US", "US"]);
  const company = stored({ type: "company", id, name: `Fading ${n}`, country });
  const signals = ["hiring_surge", "product_launch", "partnership", "award", "layoffs"].flatMap((key) =>
    random.chance(0.6)
      ? [stored({ type: "signal", company_id: id, key, detected_at: isoDay(FIRST - 60 + random.below(90)) })]
      : [],
  );
  const sources: Sources = {
    companies: new Map([[id, company]]),
    investors: new Map(),
    rounds: new Map(),
    roundsOfCompany: new Map(),
    signalsOfCompany: new Map([[id, signals]]),
    snapshotsOfCompany: new Map(),
  };
  return (today) => companyDocument(id, sources, today)!;
}

test("a mirror of strong companies of a country gets no removal while others fade", async () => {
  const index = names.generation("companies", new Date(0));
  await client.indices.create({ index, ...readModelIndex("companies", { shards: 1, replicas: 0 }) });
  const random = createRandom(52);
  const companies = Array.from({ length: COMPANIES }, (_, n) => madeUp(n, random));
  const stored = new Map<string, ChangeTickets>();
  const [mirror, list] = [new Set<string>(), new Set<string>()];
  let [ticket, position] = [1000, atStart("e", 1000)];
  let [changed, left, removed, unneeded] = [0, 0, 0, 0];

  for (let day = FIRST; day < FIRST + DAYS; day++) {
    const operations: object[] = [];
    for (const derive of companies) {
      const document = derive(day);
      const id = document.company_id;
      const tickets = changeTickets(++ticket as Ticket, digestsOf("companies", document), stored.get(id), true);
      if (tickets.changed === ticket) operations.push({ index: { _id: id } }, { ...document, ...tickets });
      stored.set(id, tickets);
      if (list.has(id) && !isListed(document)) left++;
      if (isListed(document)) list.add(id);
      else list.delete(id);
    }
    changed += operations.length / 2;
    if (operations.length > 0) await client.bulk({ index, operations, refresh: true });
    const end = { epoch: "e", horizon: ticket };
    for (let more = true; more;) {
      const request = changesQuery({ ...FOLLOWED.signals, filters: FILTERS }, position, { horizon: ticket, size: 51 });
      const { hits } = (await client.search<object>({ index, ...request })).hits;
      const found = {
        ids: hits.map((hit) => hit._id!),
        documents: hits.map((hit) => hit._source!),
        sorted: hits.map((hit) => hit.sort ?? []),
        matched: hits.map((hit) => (hit.matched_queries as string[] | undefined) ?? []),
      };
      const page = changesPage(found, { after: position, end, limit: 50, row: () => "{}" });
      for (const text of page.changes) {
        const { change, id } = JSON.parse(text) as { change: string; id: string };
        if (change === "upsert") mirror.add(id);
        else if (mirror.delete(id)) removed++;
        else unneeded++;
      }
      ({ next: position, hasMore: more } = page);
    }
    expect([...mirror].toSorted(), isoDay(day)).toEqual([...list].toSorted());
    position = atHorizon("e", ticket);
  }
  expect(changed).toBeGreaterThan(COMPANIES * 3);
  expect([removed, left > 3]).toEqual([left, true]);
  // German companies whose score fell and that were weak before: their group has moved, so nobody can tell.
  expect(unneeded).toBeLessThan(changed / 5);
});
