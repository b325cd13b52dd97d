import { hash } from "node:crypto";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { searchedFields } from "@tranche/read-models/indices/mappings";
import type { FeedModel } from "@tranche/shared/feed/keys";

export type Digests = Pick<ChangeTickets, "content_hash" | "filters_hash">;

/** It says when time will change the document, and nothing of what a list shows. */
const NOT_SHOWN = "next_change_at";
/** Of a document that lists no longer show. */
const GONE: Digests = { content_hash: "gone", filters_hash: "gone" };

const filterFields = {
  funding: searchedFields("funding").filter((field) => field !== NOT_SHOWN),
  signals: searchedFields("signals").filter((field) => field !== NOT_SHOWN),
} as const;

/** The digests of a derived document: of what filters use, and of that with what a list shows in any format. */
export function digestsOf(model: FeedModel, document: object): Digests {
  const fields = document as Record<string, unknown>;
  if (fields.gone) return GONE;
  const searched = JSON.stringify(filterFields[model].map((field) => fields[field]));
  const shown = JSON.stringify([withoutEqualDays(fields.row as string), fields.lead_investors]);
  return { content_hash: digest(searched + shown), filters_hash: digest(searched) };
}

/** As rows were before they had `latest_detected_at`, so that the member alone is no change of a row. */
const withoutEqualDays = (row: string): string =>
  row.replace(/"detected_at":"([\d-]+)","latest_detected_at":"\1"/g, '"detected_at":"$1"');

/** 15 bytes: documents of one id are compared, never all with all. */
const digest = (text: string): string => hash("sha256", text, "base64url").slice(0, 20);
