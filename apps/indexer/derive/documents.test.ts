import { rowOf } from "@tranche/read-models/documents/row-text";
import type { RecordBodies, RecordType } from "@tranche/shared/domain/records/record";
import { parseRecord } from "@tranche/shared/domain/records/parse";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import { dayOf } from "@tranche/shared/domain/time/day";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { describe, expect, test } from "vitest";
import type { Sources } from "../read/sources.ts";
import { companyDocument } from "./company.ts";
import { fundingDocument } from "./funding.ts";

const TODAY = dayOf("2025-06-15");

function stored<T extends RecordType>(type: T, fields: object, updated_at = "2025-01-01T00:00:00Z"): StoredRecord<T> {
  const outcome = parseRecord({ type, ...fields }, { dealTypes: dealTypes(), today: "2025-06-15" });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.problems));
  return { id: outcome.record.id, version: 1, updated_at, body: outcome.record.body as RecordBodies[T] };
}

function sources(records: {
  companies?: StoredRecord<"company">[];
  investors?: StoredRecord<"investor">[];
  rounds?: StoredRecord<"round">[];
  signals?: StoredRecord<"signal">[];
}): Sources {
  const { companies = [], investors = [], rounds = [], signals = [] } = records;
  const byId = <R extends { id: string }>(list: R[]) => new Map(list.map((record) => [record.id, record]));
  return {
    companies: byId(companies),
    investors: byId(investors),
    rounds: byId(rounds),
    roundsOfCompany: Map.groupBy(rounds, (round) => round.body!.company_id),
    signalsOfCompany: Map.groupBy(signals, (signal) => signal.body!.company_id),
    snapshotsOfCompany: new Map(),
  };
}

const acme = stored("company", {
  id: "acme",
  name: "Acme, Inc.",
  slug: "acme",
  aliases: ["The Acme Company", "ACME", "!!"],
  domain: "acme.example",
  country: "US",
  city: "São Paulo",
  tech_stack: ["Node.js", "node"],
});
const sequoia = stored(
  "investor",
  { id: "seq", name: "Sequoia Capital", aliases: ["Sequoia"] },
  "2025-03-01T00:00:00Z",
);
const accel = stored("investor", { id: "acc", name: "Accel" });
const round = stored("round", {
  id: "r1",
  company_id: "acme",
  announced_date: "2025-06-05",
  deal_type: "Series A",
  amount_usd: 12_000_000,
  investors: [{ investor_id: "acc" }, { investor_id: "gone" }, { investor_id: "seq", is_lead: true }],
});

describe("a funding document", () => {
  test("shows leads first and leaves out investors that are not known yet", () => {
    const document = fundingDocument(
      "r1",
      sources({ companies: [acme], investors: [sequoia, accel], rounds: [round] }),
    );
    expect(rowOf(document!.row).investors).toEqual([
      { id: "seq", name: "Sequoia Capital", slug: "sequoia-capital", is_lead: true },
      { id: "acc", name: "Accel", slug: "accel", is_lead: false },
    ]);
    expect(document?.investor_keys).toEqual(["sequoia-capital", "sequoia", "accel"]);
    expect(rowOf(document!.row).investor_count).toBe(2);
  });

  test("is found by its company and its lead investors", () => {
    const document = fundingDocument(
      "r1",
      sources({ companies: [acme], investors: [sequoia, accel], rounds: [round] }),
    );
    expect(document).toMatchObject({
      company_keys: ["acme-inc", "acme", "the-acme-company", "acme-example"],
      investor_ids: ["seq", "acc"],
      lead_investor_keys: ["sequoia-capital", "sequoia"],
      lead_investor_ids: ["seq"],
    });
  });

  test("is as new as the newest of its records", () => {
    const document = fundingDocument(
      "r1",
      sources({ companies: [acme], investors: [sequoia, accel], rounds: [round] }),
    );
    expect(rowOf(document!.row).updated_at).toBe("2025-03-01T00:00:00Z");
  });

  test("waits for its company", () => {
    expect(fundingDocument("r1", sources({ rounds: [round] }))).toBeUndefined();
    expect(fundingDocument("r2", sources({ companies: [acme] }))).toBeUndefined();
  });
});

describe("a company document", () => {
  test("sums up what was raised until today, and leaves later rounds out", () => {
    const later = stored("round", {
      id: "r2",
      company_id: "acme",
      announced_date: "2025-06-16",
      deal_type: "seed",
      amount_usd: 0.1,
    });
    const cents = stored("round", {
      id: "r0",
      company_id: "acme",
      announced_date: "2024-01-01",
      deal_type: "seed",
      amount_usd: 0.2,
    });
    const document = companyDocument(
      "acme",
      sources({ companies: [acme], investors: [sequoia], rounds: [later, round, cents] }),
      TODAY,
    );
    expect(rowOf(document!.row)).toMatchObject({ total_raised_usd: 12_000_000.2, round_count: 2 });
    expect(rowOf(document!.row).latest_funding).toMatchObject({
      round_id: "r1",
      deal_type: "series_a",
      investors: ["Sequoia Capital"],
    });
    expect(document?.lead_investors).toEqual(["Sequoia Capital"]);
    expect(document?.next_change_at).toBe("2025-06-16");
  });

  test("is searched by keys", () => {
    const document = companyDocument("acme", sources({ companies: [acme], rounds: [round] }), TODAY);
    expect(document).toMatchObject({
      listed: true,
      name_key: "acme-inc",
      name_head: "acm",
      city_key: "sao-paulo",
      tech_keys: ["nodejs"],
    });
    expect(rowOf(document!.row).tech_stack).toEqual(["Node.js"]);
    expect(document?.signal_keys).toEqual(rowOf(document!.row).signals);
  });

  test("is found by the investors of the rounds until today, their amounts, and when its signals were detected", () => {
    const later = stored("round", {
      id: "r2",
      company_id: "acme",
      announced_date: "2025-06-16",
      deal_type: "seed",
      amount_usd: 5,
      investors: [{ investor_id: "acc" }],
    });
    const again = stored("round", { ...round.body, id: "r0", announced_date: "2024-06-05" });
    const hiring = stored("signal", { company_id: "acme", key: "hiring", detected_at: "2025-06-10" });
    const past = stored("signal", { company_id: "acme", key: "award", detected_at: "2024-06-10" });
    const all = { companies: [acme], investors: [sequoia], rounds: [round, again, later], signals: [hiring, past] };
    const document = companyDocument("acme", sources(all), TODAY);
    expect(document).toMatchObject({
      company_keys: ["acme-inc", "acme", "the-acme-company", "acme-example"],
      investor_keys: ["sequoia-capital", "sequoia"],
      investor_ids: ["seq"],
      total_raised_usd: 24_000_000,
      round_count: 2,
      newest_detected_at: "2025-06-10",
    });
    expect(document!.signal_detections).toContain("hiring@2025-06-10");
    expect(document!.signal_detections).toContain("just_raised@2025-06-05");
    expect(document!.signal_detections).toHaveLength(document!.signal_keys.length);
  });

  test("says when a signal was detected last, also where an older, stronger detection counts for the score", () => {
    const layoffs = (detected_at: string, strength: number) =>
      stored("signal", { company_id: "acme", key: "layoffs", detected_at, strength });
    const signals = [layoffs("2025-05-01", 1), layoffs("2025-06-10", 0.1), layoffs("2025-06-20", 0.1)];
    const document = companyDocument("acme", sources({ companies: [acme], signals }), TODAY)!;
    expect(rowOf(document.row).signal_details).toMatchObject([
      { key: "layoffs", detected_at: "2025-05-01", latest_detected_at: "2025-06-10", strength: 1 },
    ]);
    expect(document).toMatchObject({
      signal_detections: ["layoffs@2025-06-10"],
      newest_detected_at: "2025-06-10",
      next_change_at: "2025-06-20",
    });
  });

  test("of a company without a live signal is there for look-ups, and not listed", () => {
    const document = companyDocument("acme", sources({ companies: [acme] }), TODAY);
    expect(document).toMatchObject({ listed: false, signal_score: 0, deal_type: null });
    expect(rowOf(document!.row).latest_funding).toBeNull();
  });

  test("shows the newest observations, and tells signals from them by the usual names", () => {
    const company = stored("company", { ...acme.body, tech_stack: ["ml", "COBOL"], headcount: 7 });
    const snapshotsOfCompany = new Map([
      [
        "acme",
        [
          { observed_at: "2025-01-01", technologies: ["Rust"], headcount: 7 },
          { observed_at: "2025-06-01", technologies: ["k8s", "kubernetes", "rust", "pytorch"], headcount: null },
        ],
      ],
    ]);
    const document = companyDocument("acme", { ...sources({ companies: [company] }), snapshotsOfCompany }, TODAY);
    expect(rowOf(document!.row).tech_stack).toEqual(["Kubernetes", "Rust", "PyTorch"]);
    expect(document).toMatchObject({ tech_keys: ["kubernetes", "rust", "pytorch"], profile: { headcount: 7 } });
    expect(document!.instances).toMatchObject([
      { key: "tech_adopted", detected_at: "2025-06-01", evidence: { technologies: ["Kubernetes", "PyTorch"] } },
      { key: "ai_stack", detected_at: "2025-06-01", evidence: { technologies: ["PyTorch"] } },
    ]);
  });

  test("is none while the company is unknown", () => {
    expect(companyDocument("acme", sources({ rounds: [round] }), TODAY)).toBeUndefined();
  });
});
