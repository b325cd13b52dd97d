import { cents, scoreBand } from "@tranche/read-models/documents/bands";
import { signalDetection, type CompanyDocument, type SignalsRow } from "@tranche/read-models/documents/companies";
import { rowText } from "@tranche/read-models/documents/row-text";
import { observedNow } from "@tranche/shared/domain/records/snapshots";
import type { StoredRecord } from "@tranche/shared/domain/records/stored";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { bestInstances, scoreOf } from "@tranche/shared/domain/signals/score";
import { technologyKey, usualStack } from "@tranche/shared/domain/technologies/technology";
import { domainOf } from "@tranche/shared/domain/text/domain";
import { keyOf } from "@tranche/shared/domain/text/key";
import { type Day, isoDay } from "@tranche/shared/domain/time/day";
import type { Sources } from "../read/sources.ts";
import { companyKeys, companySummary, keyOrNull, nameFields, newest } from "./fields.ts";
import { investorFields, type KnownInvestor, knownInvestors } from "./known-investors.ts";
import { nextChangeDay } from "./signals/change.ts";
import { deriveInstances } from "./signals/derive.ts";
import type { CompanyHistory, HistoryRound } from "./signals/history.ts";
import { newestDetections } from "./signals/newest-detections.ts";
import { roundsUntil, totals } from "./signals/rounds.ts";

/** The document of a company on a day, or undefined while the company is unknown or deleted. */
export function companyDocument(companyId: string, sources: Sources, today: Day): CompanyDocument | undefined {
  const company = sources.companies.get(companyId);
  if (!company) return undefined;
  const rounds = sources.roundsOfCompany.get(companyId) ?? [];
  const signals = sources.signalsOfCompany.get(companyId) ?? [];
  const investorsOf = new Map(rounds.map((round) => [round.id, knownInvestors(round, sources.investors)]));
  const snapshots = sources.snapshotsOfCompany.get(companyId) ?? [];
  const { technologies, headcount } = observedNow(company.body!, snapshots);
  const stack = technologies && { ...technologies, value: usualStack(technologies.value) };
  const history = historyOf(rounds, investorsOf, signals, snapshots, stack);

  const instances = deriveInstances(history, today);
  const best = bestInstances(instances, today);
  const detections = newestDetections(instances, today);
  const counted = roundsUntil(history.rounds, today);
  const { latest, total_raised_usd, round_count } = totals(counted);
  const investors = investorFields(counted.flatMap(({ id }) => investorsOf.get(id)!));
  const latestInvestors = latest ? (investorsOf.get(latest.id) ?? []) : [];
  const next = nextChangeDay(history, today, instances);
  const summary = companySummary(company);
  const { aliases, domain, founded_year } = company.body!;
  const score = scoreOf(best, today);
  const row: SignalsRow = {
    company: summary,
    signal_score: score,
    signals: best.map((instance) => instance.key),
    signal_details: best.map((instance) => detailOf(instance, detections.get(instance.key)!)),
    tech_stack: stack?.value ?? [],
    latest_funding: latest && latestFunding(latest, latestInvestors),
    total_raised_usd,
    round_count,
    updated_at: lastUpdate(company, rounds, signals, investorsOf),
  };
  return {
    listed: best.length > 0,
    company_id: companyId,
    slug: keyOf(summary.slug),
    company_keys: companyKeys(company),
    domain: domain && domainOf(domain),
    ...nameFields(summary.name, aliases),
    country: summary.country,
    city_key: keyOrNull(summary.city),
    category_key: keyOrNull(summary.category),
    deal_type: latest?.deal_type ?? null,
    latest_announced_date: latest?.announced_date ?? null,
    latest_amount_usd: latest?.amount_usd ?? null,
    investor_keys: investors.keys,
    investor_ids: investors.ids,
    total_raised_usd,
    round_count,
    signal_keys: row.signals,
    signal_detections: best.map(({ key }) => signalDetection(key, detections.get(key)!)),
    newest_detected_at: [...detections.values()].reduce<string | null>((a, b) => (a && a > b ? a : b), null),
    signal_score: score,
    score_band: scoreBand(score),
    total_raised_cents: cents(total_raised_usd),
    tech_keys: row.tech_stack.map(technologyKey).filter((key) => key !== ""),
    headcount: headcount?.value ?? null,
    founded_year,
    next_change_at: next === null ? null : isoDay(next),
    row: rowText(row),
    lead_investors: latestInvestors.filter((investor) => investor.is_lead).map(nameOf),
    profile: { aliases, domain, headcount: headcount?.value ?? null, founded_year, category: summary.category },
    instances: best,
  };
}

function latestFunding(round: HistoryRound, investors: readonly KnownInvestor[]): SignalsRow["latest_funding"] {
  return {
    round_id: round.id,
    announced_date: round.announced_date,
    deal_type: round.deal_type,
    amount_usd: round.amount_usd,
    investors: investors.map(nameOf),
    investor_count: investors.length,
  };
}

/** The newest update of the records that the document is derived from, except snapshots. */
function lastUpdate(
  company: StoredRecord<"company">,
  rounds: readonly StoredRecord<"round">[],
  signals: readonly StoredRecord<"signal">[],
  investorsOf: ReadonlyMap<string, readonly KnownInvestor[]>,
): string {
  const investors = [...investorsOf.values()].flat().map(({ record }) => record);
  return newest([company, ...rounds, ...signals, ...investors]);
}

function historyOf(
  rounds: readonly StoredRecord<"round">[],
  investorsOf: Map<string, readonly KnownInvestor[]>,
  signals: readonly StoredRecord<"signal">[],
  snapshots: CompanyHistory["snapshots"],
  stack: CompanyHistory["stack"],
): CompanyHistory {
  return {
    rounds: rounds.map((round) => ({
      ...round.body!,
      investors: (investorsOf.get(round.id) ?? []).map(({ record, is_lead }) => ({ id: record.id, is_lead })),
    })),
    snapshots,
    ingested: signals.map((signal) => signal.body!),
    stack,
  };
}

function detailOf(
  { key, detected_at, expires_at, strength }: SignalInstance,
  latest_detected_at: string,
): SignalsRow["signal_details"][number] {
  return { key, detected_at, latest_detected_at, expires_at, strength };
}

const nameOf = (investor: KnownInvestor): string => investor.record.body!.name;
