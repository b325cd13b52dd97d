import { hash } from "node:crypto";
import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import { FIELD_GROUPS, groupsOf, keptField } from "@tranche/read-models/documents/field-groups";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";

export type Digests = Pick<ChangeTickets, "content_hash" | "filters_hash">;

/** The digest of a document that is gone. */
export const GONE = "gone";
const SEPARATOR = " ";

const GROUPS = { funding: groupsOf("funding"), companies: groupsOf("companies") } as const;
const KEPT_GROUPS = {
  funding: GROUPS.funding.map((group) => group.map(keptField)),
  companies: GROUPS.companies.map((group) => group.map(keptField)),
} as const;

/**
 * The digests of a derived document: of all that a list shows or filters by, and of each group of fields that filters use. A document that
 * is gone has the digests of the fields that it keeps, so that they are compared when it comes again.
 */
export function digestsOf(model: FeedModel, document: object): Digests {
  const fields = document as Record<string, unknown>;
  if (fields.gone) {
    const isKnown = KEPT_GROUPS[model].flat().some((field) => field in fields);
    return { content_hash: GONE, filters_hash: isKnown ? digestsOfGroups(textsOf(fields, KEPT_GROUPS[model])) : GONE };
  }
  const searched = textsOf(fields, GROUPS[model]);
  const shown = JSON.stringify([fields.row, fields.lead_investors]);
  return { content_hash: digest(searched.join("") + shown, 20), filters_hash: digestsOfGroups(searched) };
}

/** The digests in `filters_hash`, one of each group; undefined where they are not known. */
export function groupDigests(filters_hash: string): string[] | undefined {
  const digests = filters_hash.split(SEPARATOR);
  return digests.length === FIELD_GROUPS.length ? digests : undefined;
}

/** The values of each group of fields, as JSON; empty for a group without fields. */
const textsOf = (fields: Record<string, unknown>, groups: readonly (readonly string[])[]): string[] =>
  groups.map((group) => (group.length === 0 ? "" : JSON.stringify(group.map((name) => fields[name]))));

const digestsOfGroups = (texts: readonly string[]): string =>
  texts.map((text) => (text === "" ? "-" : digest(text, 8))).join(SEPARATOR);

/** 6 bits per character: documents of one id are compared, never all with all. */
const digest = (text: string, characters: number): string => hash("sha256", text, "base64url").slice(0, characters);
