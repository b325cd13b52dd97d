import { hash } from "node:crypto";
import type { FundingRow } from "@tranche/read-models/documents/funding";
import type { SignalsRow } from "@tranche/read-models/documents/companies";
import type { SavedSearch } from "@tranche/shared/accounts/saved-search";
import type { FeedEntry, FeedPage } from "./page.ts";

/** A document of a list that changed. `changed`, `created`: tickets, in µs; `created` is 0 when it is not known. */
export type ChangedRow = { id: string; changed: number; created: number; row: FundingRow | SignalsRow };

/** The page of a saved search. `dashboardUrl`: where the pages of companies are, if there are any. */
export function feedPage(
  search: Pick<SavedSearch, "id" | "name" | "list" | "changed_at">,
  changes: readonly ChangedRow[],
  dashboardUrl: string | undefined,
): FeedPage {
  const entries = changes.map((change) => entryOf(search.list, change, dashboardUrl));
  const times = [search.changed_at, ...entries.map(({ updated }) => updated)];
  return { id: uriOf("search", search.id), title: search.name, updated: times.toSorted().at(-1)!, entries };
}

function entryOf(list: string, { id, changed, created, row }: ChangedRow, dashboardUrl: string | undefined): FeedEntry {
  const source = "source_url" in row ? webAddress(row.source_url) : undefined;
  return {
    id: uriOf(list, id),
    ...("deal_type" in row ? ofRound(row) : ofCompany(row)),
    ...(created > 0 ? { published: timeOf(created) } : {}),
    updated: timeOf(changed),
    ...(dashboardUrl === undefined ? {} : { url: `${dashboardUrl}/companies/${encodeURIComponent(row.company.id)}` }),
    ...(source === undefined ? {} : { source }),
    row,
  };
}

function ofRound({ company, deal_type, amount_usd, announced_date, investors }: FundingRow) {
  const names = investors.map(({ name, is_lead }) => (is_lead ? `${name} (lead)` : name));
  const lines = [
    `Announced ${announced_date}`,
    `Amount: ${amount_usd === null ? "undisclosed" : dollars(amount_usd)}`,
    ...placeOf(company),
    ...(names.length > 0 ? [`Investors: ${names.join(", ")}`] : []),
  ];
  const amount = amount_usd === null ? "" : `, ${dollars(amount_usd)}`;
  return { title: `${company.name}: ${words(deal_type)}${amount}`, text: lines.join("\n") };
}

function ofCompany({ company, signal_score, signals, total_raised_usd, round_count }: SignalsRow) {
  const lines = [
    `Signals: ${signals.length > 0 ? signals.map(words).join(", ") : "none"}`,
    ...placeOf(company),
    `Rounds: ${round_count}`,
    ...(total_raised_usd === null ? [] : [`Raised in all: ${dollars(total_raised_usd)}`]),
  ];
  const shown = signals.length > 0 ? `, ${signals.map(words).join(", ")}` : "";
  return { title: `${company.name}: score ${signal_score}${shown}`, text: lines.join("\n") };
}

function placeOf({ country, city, category }: FundingRow["company"]): string[] {
  const known = [city, country, category].filter((part) => part !== null);
  return known.length > 0 ? [known.join(" · ")] : [];
}

const words = (key: string) => key.replaceAll("_", " ");
const dollars = (amount: number) => `$${amount.toLocaleString("en-US", { maximumFractionDigits: 2 })}`;
const timeOf = (ticket: number) => new Date(Math.floor(ticket / 1000)).toISOString();

/** A URI that names the same thing in every feed and at every address of the service: a UUID of version 8 (RFC 9562), from a digest. */
function uriOf(kind: string, id: string): string {
  const digest = hash("sha256", `tranche:${kind}:${id}`);
  const variant = "89ab"[Number.parseInt(digest[16]!, 16) % 4];
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ];
  return `urn:uuid:${parts.join("-")}`;
}

/** An address of the web, escaped; undefined for a text that is none, such as `javascript:…`. */
function webAddress(text: string | null): string | undefined {
  const url = text === null ? null : URL.parse(text);
  return url && (url.protocol === "https:" || url.protocol === "http:") ? url.href : undefined;
}
