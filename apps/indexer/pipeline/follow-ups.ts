import type { DeriveJob } from "@tranche/shared/protocol/queue/queues";
import type { DocumentIds } from "../read/affected-documents.ts";
import { chunks } from "@tranche/shared/engines/search/chunks";

/** Documents in one follow-up job. */
const FOLLOW_UP_SIZE = 1000;

/** Affected documents as the data of follow-up jobs. */
export function followUps(documents: DocumentIds): DeriveJob[] {
  const none = { rounds: [], companies: [] };
  return (["rounds", "companies", "investors"] as const).flatMap((kind) =>
    chunks([...documents[kind]], FOLLOW_UP_SIZE).map((part) => ({ ...none, [kind]: part })),
  );
}
