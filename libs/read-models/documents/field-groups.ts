import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { FundingDocument } from "./funding.ts";
import type { CompanyDocument } from "./companies.ts";

/** Groups of the fields that filters use. The feed knows of each group when it last changed in a document. */
export const FIELD_GROUPS = ["listed", "names", "place", "funding", "technology", "signals"] as const;
export type FieldGroup = (typeof FIELD_GROUPS)[number];

type Document = { funding: FundingDocument; companies: CompanyDocument };

/** The fields of each group, by read model: every field that a filter may use is in one of them. */
const FIELDS: { [Model in FeedModel]: Record<FieldGroup, readonly (keyof Document[Model] & string)[]> } = {
  funding: {
    listed: ["listed"],
    names: [
      "id",
      "company_id",
      "company_keys",
      "investor_keys",
      "investor_ids",
      "lead_investor_keys",
      "lead_investor_ids",
    ],
    place: ["country", "city_key", "category_key"],
    funding: ["announced_date", "deal_type", "amount_usd"],
    technology: [],
    signals: [],
  },
  companies: {
    listed: ["listed"],
    names: [
      "company_id",
      "slug",
      "company_keys",
      "domain",
      "name_key",
      "name_prefixes",
      "name_head",
      "investor_keys",
      "investor_ids",
    ],
    place: ["country", "city_key", "category_key"],
    funding: ["deal_type", "latest_announced_date", "latest_amount_usd", "total_raised_usd", "round_count"],
    // Size and founding year change as seldom as technologies, and a group of their own would be one ticket more in each document.
    technology: ["tech_keys", "headcount", "founded_year"],
    signals: ["signal_keys", "signal_detections", "newest_detected_at", "signal_score"],
  },
};

/** The fields of each group of a read model, in the order of `FIELD_GROUPS`. */
export const groupsOf = (model: FeedModel): readonly (readonly string[])[] =>
  FIELD_GROUPS.map((group) => FIELDS[model][group]);

/** All fields of groups of a read model. */
export const groupedFields = (model: FeedModel): string[] => groupsOf(model).flat();

const GROUP_OF_FIELD = new Map(
  Object.values(FIELDS).flatMap((groups) =>
    FIELD_GROUPS.flatMap((group) => groups[group].map((field): [string, FieldGroup] => [field, group])),
  ),
);

/** The group of a field that filters use. Fields of two read models that have one name are in one group. */
export function groupOf(field: string): FieldGroup {
  const group = GROUP_OF_FIELD.get(field);
  if (!group) throw new Error(`the field '${field}' is in no group of fields`);
  return group;
}

const KEPT = "was_";
/** The name under which a document that is gone keeps a field. */
export const keptField = (field: string): string => `${KEPT}${field}`;
export const isKeptField = (field: string): boolean => field.startsWith(KEPT);
