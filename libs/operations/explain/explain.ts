import {
  createPendingFanout,
  createPendingInvestors,
  type PendingDocuments,
} from "@tranche/shared/protocol/queue/pending-documents";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { Installation } from "../installation/installation.ts";
import type { DerivedDocument, DocumentFacts, ExplainedDerivation, Facts } from "./facts.ts";
import { compared, readIndexed } from "./indexed.ts";
import { readOpenWork } from "./open-work.ts";
import { readExplainedSources } from "./sources.ts";
import { SUBJECTS, type SubjectType } from "./subject.ts";
import { whyOf } from "./why.ts";
import { withFileNames } from "./provenance.ts";
import { askIndexer } from "@tranche/shared/protocol/queue/ask-indexer";
import { type ExplainJob, QUEUES } from "@tranche/shared/protocol/queue/queues";

const DERIVED_WITHIN_MS = 10_000;

/** The facts, and in `why` what follows from them, in sentences. */
export type Explanation = Facts & { why: string[] };

/** Reads everything about a document or record, and says why it looks as it does. Undefined: the id is unknown. */
export async function explain(
  installation: Installation,
  type: SubjectType,
  id: string,
): Promise<Explanation | undefined> {
  const { record, model } = SUBJECTS[type];
  const [sources, document] = await Promise.all([
    readExplainedSources(installation, record, id),
    model ? readDocument(installation, model, id) : null,
  ]);
  // Writes of an investor change all its rounds, so they would be named by nearly everything.
  const records = sources.records.filter((each) => each.type !== "investor" || each.id === id);
  const named = await withFileNames(installation, sources.records);
  const names = new Set(records.map((each) => `${each.type} ${each.id}`));
  if (document) names.add(`${document.model} ${id}`);
  const facts: Facts = {
    type,
    id,
    ...sources,
    records: named,
    document,
    ...(await readOpenWork(installation, names, Date.now())),
  };
  return isKnown(facts) ? { ...facts, why: whyOf(facts) } : undefined;
}

async function readDocument(installation: Installation, model: ReadModel, id: string): Promise<DocumentFacts> {
  // The derivation is read first: a change in between shows as a difference that another run does not have.
  const derivation = await askForDerivation(installation, { model, id }, DERIVED_WITHIN_MS);
  const [stored, noted] = await Promise.all([
    readIndexed(installation, model, id),
    pendingDocuments(installation, model).among([id]),
  ]);
  const derived = "derived" in derivation ? derivation.derived : [];
  const indices = stored.map((each) =>
    compared(
      each,
      derived.find(({ index }) => index === each.index),
    ),
  );
  const live = derived.find(({ index }) => stored.some((each) => each.role === "live" && each.index === index));
  return {
    model,
    id,
    indices,
    derivation:
      "unavailable" in derivation
        ? derivation
        : live?.failed !== undefined
          ? { failed: live.failed }
          : live?.document
            ? "document"
            : "gone",
    noted: noted.has(id),
  };
}

/** The documents of a read model that wait for the second stage, or behind live traffic. */
function pendingDocuments({ redis, settings }: Installation, model: ReadModel): PendingDocuments {
  const namespace = settings.TRANCHE_NAMESPACE;
  if (model === "investors") return createPendingInvestors(redis, namespace);
  const { rounds, companies } = createPendingFanout(redis, namespace);
  return model === "funding" ? rounds : companies;
}

/** Whether a record, another record, an index or open work knows the id. */
function isKnown({ type, id, records, edges, stakes, document, dead_letters, jobs }: Facts): boolean {
  const own = SUBJECTS[type].record;
  return (
    records.some((each) => each.type === own && each.id === id && each.state !== "unknown") ||
    records.length - 1 + edges.length + stakes.length + dead_letters.length + jobs.naming > 0 ||
    (document?.indices.some(({ ticket }) => ticket !== null) ?? false)
  );
}

/**
 * Has an indexer derive a document afresh, with its own rules. Waits `withinMs` for the result: an installation whose indexers do not
 * run is explained without.
 */
async function askForDerivation(
  installation: Installation,
  data: ExplainJob,
  withinMs: number,
): Promise<ExplainedDerivation> {
  const queue = installation.queue<ExplainJob>(QUEUES.explain);
  const answer = await askIndexer<ExplainJob, DerivedDocument[]>(queue, "explain", data, withinMs);
  return "result" in answer ? { derived: answer.result } : answer;
}
