import type { estypes } from "@elastic/elasticsearch";
import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import type { Layout } from "@tranche/shared/engines/search/store-indices";
import { type ChangeTickets, type MovedGroups, movedField } from "../documents/change-tickets.ts";
import { FIELD_GROUPS, groupedFields, isKeptField, keptField } from "../documents/field-groups.ts";
import type { FundingDocument, GoneDocument } from "../documents/funding.ts";
import type { InvestorDocument } from "../documents/investors.ts";
import type { CompanyDocument } from "../documents/companies.ts";
import { type IndexMeta, OWN_VERSIONS } from "./versions.ts";

const keyword = { type: "keyword" } as const;
/** Shown or stored, never searched. */
const stored = { type: "object", enabled: false } as const;
/** Compared, never searched. */
const digest = { type: "keyword", index: false } as const;
/** Grouped by or summed up, never searched: it follows from another field. */
const grouped = { index: false } as const;
/** Texts of `namePrefixes`. An analyzer that makes them of the names could not be added to an index that is there. */
const prefixes = { type: "text", analyzer: "whitespace", norms: false } as const;
const date = { type: "date", format: "strict_date" } as const;

const ticket = { type: "long" } as const;
/** Checked in documents that a range of `changed` has found, so their values are enough. */
const comparedTicket = { type: "long", index: false } as const;
const CHANGE_TICKETS: Record<keyof ChangeTickets, estypes.MappingProperty> = {
  changed: ticket,
  created: comparedTicket,
  ...(Object.fromEntries(FIELD_GROUPS.map((group) => [movedField(group), comparedTicket])) as Record<
    keyof MovedGroups,
    estypes.MappingProperty
  >),
  content_hash: digest,
  filters_hash: digest,
};

export const CHANGE_TICKET_FIELDS: readonly string[] = Object.keys(CHANGE_TICKETS);

/** A mapping for each field of a document. Mappings are strict: Elasticsearch refuses a document with any other field. */
type Mapping<Document> = {
  dynamic: "strict";
  properties: Record<keyof Document | keyof GoneDocument, estypes.MappingProperty>;
};

const READ_MODEL_MAPPINGS: {
  funding: Mapping<FundingDocument & ChangeTickets>;
  companies: Mapping<CompanyDocument & ChangeTickets>;
  investors: Mapping<InvestorDocument>;
} = {
  funding: {
    dynamic: "strict",
    properties: {
      listed: { type: "boolean" },
      gone: { type: "boolean" },
      id: keyword,
      company_id: keyword,
      company_keys: keyword,
      announced_date: date,
      deal_type: keyword,
      amount_usd: { type: "double" },
      amount_cents: { type: "long", ...grouped },
      amount_band: { type: "keyword", ...grouped },
      country: keyword,
      city_key: keyword,
      category_key: keyword,
      investor_keys: keyword,
      investor_ids: keyword,
      lead_investor_keys: keyword,
      lead_investor_ids: keyword,
      row: stored,
      ...CHANGE_TICKETS,
    },
  },
  companies: {
    dynamic: "strict",
    properties: {
      listed: { type: "boolean" },
      gone: { type: "boolean" },
      company_id: keyword,
      slug: keyword,
      company_keys: keyword,
      domain: keyword,
      name_key: keyword,
      name_prefixes: prefixes,
      name_head: keyword,
      country: keyword,
      city_key: keyword,
      category_key: keyword,
      deal_type: keyword,
      latest_announced_date: date,
      latest_amount_usd: { type: "double" },
      investor_keys: keyword,
      investor_ids: keyword,
      total_raised_usd: { type: "double" },
      // Wide enough for any bound that a caller can send: Elasticsearch refuses one beyond the type.
      round_count: { type: "long" },
      signal_keys: keyword,
      signal_detections: keyword,
      newest_detected_at: date,
      signal_score: { type: "short" },
      score_band: { type: "byte", ...grouped },
      total_raised_cents: { type: "long", ...grouped },
      tech_keys: keyword,
      // Ordered as amounts are, because a list may have more different headcounts than Elasticsearch returns buckets.
      headcount: { type: "double" },
      founded_year: { type: "integer" },
      next_change_at: date,
      row: stored,
      lead_investors: { ...keyword, index: false, doc_values: false },
      profile: stored,
      instances: stored,
      ...CHANGE_TICKETS,
    },
  },
  investors: {
    dynamic: "strict",
    properties: {
      listed: { type: "boolean" },
      gone: { type: "boolean" },
      investor_id: keyword,
      slug: keyword,
      name_key: keyword,
      name_prefixes: prefixes,
      name_head: keyword,
      investor_keys: keyword,
      country: keyword,
      kind_key: keyword,
      round_count: { type: "integer" },
      lead_count: { type: "integer" },
      company_count: { type: "integer" },
      first_round_date: date,
      latest_round_date: date,
      round_dates: date,
      category_keys: keyword,
      deal_types: keyword,
      row: stored,
    },
  },
};

/** The mapping of each field of a read model's documents, with those that documents keep for the feed when they are gone. */
export const fieldsOf = (model: ReadModel): Readonly<Record<string, estypes.MappingProperty>> => ALL_FIELDS[model];

const ALL_FIELDS = Object.fromEntries(
  Object.entries(READ_MODEL_MAPPINGS).map(([model, { properties }]) => {
    const fields: Record<string, estypes.MappingProperty> = properties;
    const kept = model === "investors" ? [] : groupedFields(model as FeedModel);
    return [model, { ...fields, ...Object.fromEntries(kept.map((field) => [keptField(field), fields[field]!])) }];
  }),
) as Record<ReadModel, Readonly<Record<string, estypes.MappingProperty>>>;

/** Whether a field is one of the feed: it says when a document was written, or what it was, not what it holds. */
export const isFeedField = (field: string): boolean => field in CHANGE_TICKETS || isKeptField(field);

/** The fields by which lists find and order documents: all but those that are only shown or stored, and those of the feed. */
export const searchedFields = (model: ReadModel): string[] =>
  Object.entries(fieldsOf(model)).flatMap(([field, mapping]) =>
    isFeedField(field) || mapping.type === "object" || ("index" in mapping && mapping.index === false) ? [] : [field],
  );

/** The index is sorted by the default order of the list, so Elasticsearch can stop as soon as a page is full. */
const INDEX_SORT: Record<ReadModel, { field: string[]; order: ("asc" | "desc")[] }> = {
  funding: { field: ["announced_date", "id"], order: ["desc", "asc"] },
  companies: { field: ["signal_score", "company_id"], order: ["desc", "asc"] },
  investors: { field: ["round_count", "investor_id"], order: ["desc", "asc"] },
};

/**
 * The share of replaced documents that may stay in an index: fewer than in the indices of records, because read models are searched
 * all the time.
 */
const REPLACED_PERCENT = 33;

/** Every row can be reached by its offset; the API keeps deep pages cheap. */
const NO_RESULT_WINDOW = 2_147_483_647;

/** Settings and mappings of a new index of a read model. */
export function readModelIndex(model: ReadModel, layout: Layout) {
  return {
    settings: {
      number_of_shards: layout.shards,
      number_of_replicas: layout.replicas,
      // Only the indexer makes changes visible: it refreshes before it announces a new generation.
      refresh_interval: "-1",
      max_result_window: NO_RESULT_WINDOW,
      "merge.policy.deletes_pct_allowed": REPLACED_PERCENT,
      "sort.field": INDEX_SORT[model].field,
      "sort.order": INDEX_SORT[model].order,
    },
    mappings: {
      _meta: { ...OWN_VERSIONS } satisfies IndexMeta,
      dynamic: READ_MODEL_MAPPINGS[model].dynamic,
      properties: { ...fieldsOf(model) },
    },
  };
}
