import { hash } from "node:crypto";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { FIELD_GROUPS, groupsOf, keptField } from "@tranche/read-models/documents/field-groups";
import { searchedFields } from "@tranche/read-models/indices/mappings";
import type { FeedModel } from "@tranche/shared/feed/keys";

export type Digests = Pick<ChangeTickets, "content_hash" | "filters_hash">;

/** The digest of a document that is gone. */
export const GONE = "gone";
const SEPARATOR = " ";

/** It says when time will change the document, and nothing of what a list shows. */
const NOT_SHOWN = "next_change_at";

/** In the order of the mapping. Stored digests have it, too. */
const SEARCHED = {
  funding: searchedFields("funding").filter((field) => field !== NOT_SHOWN),
  signals: searchedFields("signals").filter((field) => field !== NOT_SHOWN),
} as const;
const GROUPS = { funding: groupsOf("funding"), signals: groupsOf("signals") } as const;
const KEPT_GROUPS = {
  funding: GROUPS.funding.map((group) => group.map(keptField)),
  signals: GROUPS.signals.map((group) => group.map(keptField)),
} as const;

/**
 * The digests of a derived document: of all that a list shows or filters by, and of each group of fields that filters use. A document that
 * is gone has the digests of the fields that it keeps, so that they are compared when it comes again.
 */
export function digestsOf(model: FeedModel, document: object): Digests {
  const fields = document as Record<string, unknown>;
  if (fields.gone) {
    const isKnown = KEPT_GROUPS[model].flat().some((field) => field in fields);
    return { content_hash: GONE, filters_hash: isKnown ? digestsOfGroups(fields, KEPT_GROUPS[model]) : GONE };
  }
  const searched = valuesText(fields, SEARCHED[model]);
  const shown = JSON.stringify([fields.row, fields.lead_investors]);
  return { content_hash: digest(searched + shown, 20), filters_hash: digestsOfGroups(fields, GROUPS[model]) };
}

/** The digests in `filters_hash`, one of each group; undefined where they are not known. */
export function groupDigests(filters_hash: string): string[] | undefined {
  const digests = filters_hash.split(SEPARATOR);
  return digests.length === FIELD_GROUPS.length ? digests : undefined;
}

const digestsOfGroups = (fields: Record<string, unknown>, groups: readonly (readonly string[])[]): string =>
  groups.map((group) => (group.length === 0 ? "-" : digest(valuesText(fields, group), 8))).join(SEPARATOR);

const valuesText = (fields: Record<string, unknown>, names: readonly string[]): string =>
  JSON.stringify(names.map((name) => fields[name]));

/** 6 bits per character: documents of one id are compared, never all with all. */
const digest = (text: string, characters: number): string => hash("sha256", text, "base64url").slice(0, characters);
