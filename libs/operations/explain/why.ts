import { REGISTRY } from "@tranche/read-models/documents/registry";
import type { RecordType } from "@tranche/shared/domain/records/record";
import type { DocumentFacts, Facts, IndexedDocument, RecordState } from "./facts.ts";

const OF_RECORD = { funding: ofRound, companies: ofCompany, investors: ofInvestor } as const;

/** Named one by one; the rest is counted. */
const NAMED = 5;

/** Pure: why a document looks as it does, in sentences: first the records, then the indices, then what is open. */
export function whyOf(facts: Facts): string[] {
  const { document } = facts;
  if (!document) return [...ofSignal(facts), ...ofWork(facts)];
  return [
    ...OF_RECORD[document.model](facts, find(facts, REGISTRY[document.model].record, document.id)),
    ...ofDerivation(document),
    ...document.indices.flatMap((index) => ofIndex(index, document)),
    ...ofTime(document),
    ...ofWork(facts),
  ];
}

function ofSignal(facts: Facts): string[] {
  const signal = find(facts, "signal", facts.id);
  if (signal.state !== "stored") return absence(signal, "It counts for no company");
  const company = find(facts, "company", signal.company_id!);
  return company.state === "stored"
    ? [`The signal belongs to company ${company.id}: \`ops explain signals ${company.id}\` shows its document.`]
    : absence(company, `The signal waits for its company ${company.id}`, true);
}

function ofRound(facts: Facts, round: RecordState): string[] {
  if (round.state !== "stored") return absence(round, "The document shows nothing");
  const company = find(facts, "company", round.company_id!);
  if (company.state !== "stored") return absence(company, `The round waits for its company ${company.id}`, true);
  const investors = (round.investor_ids ?? []).map((id) => find(facts, "investor", id));
  return [
    `The round is version ${round.version}; its company ${company.id} is version ${company.version}.`,
    ...leftOut(investors),
    ...moved(facts, round),
  ];
}

function ofCompany(facts: Facts, company: RecordState): string[] {
  const own = facts.records.filter((record) => record.type !== "investor" && record.company_id === company.id);
  const rounds = own.filter(({ type }) => type === "round");
  const signals = own.filter(({ type }) => type === "signal");
  if (company.state !== "stored") {
    const waiting = rounds.length + signals.length;
    return [
      ...absence(company, "The document shows nothing"),
      ...(waiting > 0
        ? [
            `${waiting} ${waiting === 1 ? "record waits" : "records wait"} for this company: ${named([...rounds, ...signals])}.`,
          ]
        : []),
    ];
  }
  const deleted = facts.records.filter(
    ({ type, state }) => (type === "round" || type === "signal") && state === "deleted",
  );
  const gone = facts.records.filter(
    ({ type, state, company_id }) =>
      (type === "round" || type === "signal") && state === "stored" && company_id !== company.id,
  );
  const investors = [...new Set(rounds.flatMap(({ investor_ids }) => investor_ids ?? []))].map((id) =>
    find(facts, "investor", id),
  );
  return [
    `The company is version ${company.version}, with ${counted(rounds.length, "round")}, ${counted(signals.length, "ingested signal")} and technologies or headcount of ${counted(facts.snapshots, "day")}.`,
    ...leftOut(investors),
    ...(deleted.length > 0 ? [`Deleted, so they no longer count: ${named(deleted)}.`] : []),
    ...(gone.length > 0 ? [`Moved to another company, so they no longer count: ${named(gone)}.`] : []),
  ];
}

function ofInvestor(facts: Facts, investor: RecordState): string[] {
  const rounds = facts.records.filter(({ type }) => type === "round");
  if (investor.state !== "stored") {
    return [
      ...absence(investor, "The document shows nothing"),
      ...(rounds.length > 0 ? [`Rounds that name it leave it out: ${named(rounds)}.`] : []),
    ];
  }
  const many = facts.truncated
    ? `more than ${rounds.length} rounds name`
    : counted(rounds.length, "round names", "rounds name");
  return [`The investor is version ${investor.version}; ${many} it. A round counts as soon as its company is known.`];
}

/** Why a record is not there. `waits`: the consequence reads on (`…, which was never ingested`). */
function absence(record: RecordState, consequence: string, waits = false): string[] {
  const which = waits ? `${consequence}, which` : `${consequence}: ${record.type} ${record.id}`;
  switch (record.state) {
    case "deleted":
      return [
        `${which} was deleted at version ${record.version}${record.updated_at ? ` (${record.updated_at})` : ""}.`,
      ];
    case "incomplete":
      return [
        `${which} has only merges, and they lack required fields. It appears when a whole record or the missing fields arrive.`,
      ];
    case "unknown":
      return [`${which} was never ingested, or its delete was purged.`];
    case "stored":
      return [];
  }
}

function leftOut(investors: readonly RecordState[]): string[] {
  return investors
    .filter(({ state }) => state !== "stored")
    .slice(0, NAMED)
    .map(({ id, state, version }) =>
      state === "deleted"
        ? `Investor ${id} was deleted at version ${version} and is left out.`
        : `Investor ${id} is not known yet and is left out.`,
    );
}

function moved(facts: Facts, round: RecordState): string[] {
  const former = facts.edges
    .filter(({ company_id }) => company_id !== round.company_id)
    .map(({ company_id }) => company_id);
  return former.length > 0 ? [`The round once belonged to ${former.slice(0, NAMED).join(", ")}.`] : [];
}

function ofDerivation({ derivation }: DocumentFacts): string[] {
  if (typeof derivation === "string") return [];
  if ("failed" in derivation) return [`The document can't be derived from these records: ${derivation.failed}.`];
  return [`The indices were not compared with the records, because ${derivation.unavailable}.`];
}

function ofIndex(index: IndexedDocument, { noted }: DocumentFacts): string[] {
  const { role, differences } = index;
  const repair = noted
    ? "It is noted: an indexer derives it soon, behind live traffic."
    : role === "live"
      ? "If no job is open, run `ops verify --repair`."
      : role === "previous"
        ? "A rollback would show it."
        : "The rebuild may not have reached it yet.";
  switch (index.compared) {
    case "same":
      if (role !== "live") return [];
      return [`The live index ${index.state === "shown" ? "shows it" : "leaves it out"}, as the records say.`];
    case "stale":
      return [
        `The ${role} index is stale in ${differences
          .slice(0, NAMED)
          .map(({ field }) => field)
          .join(", ")}${differences.length > NAMED ? ", …" : ""}. ${repair}`,
      ];
    case "missing":
      return [`The ${role} index should show it, but does not. ${repair}`];
    case "extra":
      return [`The ${role} index shows it and should not. ${repair}`];
    case "unknown":
      return [];
  }
}

function ofTime({ model, indices }: DocumentFacts): string[] {
  const live = indices.find(({ role }) => role === "live");
  if (model !== "companies" || live?.state !== "shown") return [];
  return [
    ...(live.listed === false ? ["It has no live signal: it is on /companies, but not on /signals."] : []),
    ...(live.next_change_at ? [`Without new data it changes on ${live.next_change_at}.`] : []),
  ];
}

function ofWork({ dead_letters, jobs }: Facts): string[] {
  return [
    ...(dead_letters.length > 0
      ? [
          `${counted(dead_letters.length, "dead letter is", "dead letters are")} about it: \`ops failed show ${dead_letters[0]!.id}\`.`,
        ]
      : []),
    ...(jobs.naming > 0
      ? [
          `${counted(jobs.naming, "open job names", "open jobs name")} it or one of its records: it may change in a moment.`,
        ]
      : jobs.waiting > jobs.looked_at
        ? [`${jobs.waiting} jobs wait. The oldest ${jobs.looked_at} do not name it; the others were not read.`]
        : []),
  ];
}

function find({ records }: Facts, type: RecordType, id: string): RecordState {
  const unknown: RecordState = { type, id, state: "unknown", version: null, updated_at: null, merges: [] };
  return records.find((record) => record.type === type && record.id === id) ?? unknown;
}

function named(records: readonly RecordState[]): string {
  const ids = records.slice(0, NAMED).map(({ type, id }) => `${type} ${id}`);
  return records.length > NAMED ? `${ids.join(", ")} and ${records.length - NAMED} more` : ids.join(", ");
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
