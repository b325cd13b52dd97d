import type { FundingDocument } from "@tranche/read-models/documents/funding";
import type { CompanyDocument } from "@tranche/read-models/documents/companies";
import { fundingParameters } from "@tranche/read-models/parameters/funding";
import type { ParameterTable } from "@tranche/read-models/parameters/parameter";
import type { Problem } from "@tranche/read-models/parameters/problem";
import { filtersOf, readParameters, writeQueryString } from "@tranche/read-models/parameters/read";
import { signalsParameters } from "@tranche/read-models/parameters/signals";
import type { Filter } from "@tranche/read-models/query/filters";
import { LISTED } from "@tranche/read-models/query/list-query";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { WebhookError, type WebhookList } from "./webhook.ts";

/** How the documents of a list are read for its changes. */
export type FollowedList = {
  idField: "id" | "company_id";
  source: readonly string[];
  /** The row as the list shows it, as JSON. */
  row: (document: object) => string;
};

export const FOLLOWED: Readonly<Record<WebhookList, FollowedList>> = {
  funding: { idField: "id", source: ["row"], row: (document) => (document as FundingDocument).row },
  signals: { idField: "company_id", source: ["row"], row: (document) => (document as CompanyDocument).row },
};

/** Parameters of a list that choose or shape its pages: a webhook has none of them. */
const OF_PAGES = ["limit", "offset", "cursor", "sort", "format", "fields", "text"];

/** Reads the filters of webhooks as the lists read them. */
export type WebhookFilters = {
  /** The canonical form of a query string. Throws a WebhookError with every problem, in the words of the list. */
  canonical: (list: WebhookList, query: string) => string;
  /** The conditions that documents of the list must meet. Throws like `canonical`. */
  filters: (list: WebhookList, query: string) => Filter[];
};

export function createWebhookFilters(dealTypes: DealTypes): WebhookFilters {
  const tables: Record<WebhookList, ParameterTable> = {
    funding: fundingParameters(dealTypes),
    signals: signalsParameters(dealTypes),
  };
  const read = (list: WebhookList, query: string) => {
    const table = tables[list];
    const { values, problems } = readParameters(table, query.replace(/^\?/, ""));
    const paging = OF_PAGES.filter((name) => (values as Record<string, unknown>)[name] !== undefined).map(
      (parameter): Problem => ({
        parameter,
        code: "unknown_parameter",
        message: `'${parameter}' is not a filter: a webhook gets all changes of the list, in their order. Leave it out.`,
      }),
    );
    const all = [...problems, ...paging];
    if (all.length > 0) throw new WebhookError(inOneText(all), all);
    return { table, values };
  };
  return {
    canonical(list, query) {
      const { table, values } = read(list, query);
      return writeQueryString(table, values);
    },
    filters(list, query) {
      const { table, values } = read(list, query);
      return filtersOf(table, values, LISTED);
    },
  };
}

function inOneText(problems: readonly Problem[]): string {
  const { message, hint } = problems[0]!;
  const first = hint ? `${message} ${hint}` : message;
  return problems.length === 1 ? first : `${problems.length} problems. The first: ${first}`;
}
