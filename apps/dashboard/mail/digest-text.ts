import type { FundingRow } from "@tranche/read-models/documents/funding";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { Digest } from "@tranche/webhooks/digest-store";
import type { Follow, Frequency } from "@tranche/webhooks/follow";
import { cut, oneLine, withoutAddresses } from "./letter.ts";

const MONEY = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumSignificantDigits: 3,
});
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
/** How often a digest comes, at the end of a sentence. */
export const WHEN: Readonly<Record<Frequency, string>> = {
  at_once: "at once",
  daily: "every day",
  weekly: "every Monday",
};
/** Investors that one round names. */
const MOST_NAMED = 6;

/** The items of a digest, in words on one line each. */
export type DigestText = {
  /** The name of what is followed. */
  followed: string;
  subject: string;
  /** How much is new or changed. */
  came: string;
  items: { title: string; url: string; lines: string[] }[];
  /** The changes that are not among the items, and the removed ones. */
  rest: string[];
};

/** The changes of a follow. `dashboard`: its address. */
export function digestText(
  { name, of }: Pick<Follow, "name" | "of">,
  { rows, more, removed }: Pick<Digest, "rows" | "more" | "removed">,
  dashboard: string,
): DigestText {
  const followed = isNamedSo({ name, of }, rows) ? oneLine(name) : withoutAddresses(name);
  const changed = rows.length + more;
  return {
    followed,
    subject: subjectOf(followed, changed, removed),
    came:
      changed > 0
        ? `${counted(changed, "new or changed round")} in “${followed}”.`
        : `No new or changed rounds in “${followed}”.`,
    items: rows.map((row) => itemOf(row, dashboard)),
    rest: [
      ...(more > 0 ? [`See ${counted(more, "more round")} in the dashboard.`] : []),
      ...(removed > 0 ? [`Removed: ${counted(removed, "round")}, deleted or no longer matching what you follow.`] : []),
    ],
  };
}

/**
 * Whether the rows have what is followed under the same name. Members send the name, whatever they follow; only one that is in the data as
 * well may look like an address.
 */
function isNamedSo({ name, of }: Pick<Follow, "name" | "of">, rows: readonly FundingRow[]): boolean {
  if (of.kind === "search") return false;
  const isIt = (found: { id: string; name: string }) =>
    found.name === name && (of.kind === "companies" ? of.ids.includes(found.id) : of.id === found.id);
  return rows.some(({ company, investors }) => (of.kind === "companies" ? isIt(company) : investors.some(isIt)));
}

function subjectOf(name: string, changed: number, removed: number): string {
  const short = cut(name, 80);
  return changed > 0 ? `${short}: ${counted(changed, "round")}` : `${short}: ${counted(removed, "round")} removed`;
}

function itemOf({ announced_date, deal_type, amount_usd, company, investors }: FundingRow, dashboard: string) {
  const amount = amount_usd === null ? "amount undisclosed" : MONEY.format(amount_usd);
  const names = investors.slice(0, MOST_NAMED).map(({ name, is_lead }) => oneLine(name) + (is_lead ? " (lead)" : ""));
  const others = investors.length - names.length;
  return {
    title: `${oneLine(company.name)}: ${shownType(deal_type)}, ${amount}`,
    url: `${dashboard}/companies/${encodeURIComponent(company.id)}`,
    lines: [
      DAY.format(new Date(announced_date)),
      ...(names.length > 0 ? [`${names.join(", ")}${others > 0 ? ` and ${counted(others, "other")}` : ""}`] : []),
    ],
  };
}

/** `series_a` as "Series A", `pre_seed` as "Pre-seed". */
function shownType(type: string): string {
  const words = type.replace(/^(pre|post|non)_/, "$1-").replaceAll("_", " ");
  const capital = words.charAt(0).toUpperCase() + words.slice(1);
  return capital.replace(/ ([a-z])(?= |$)/g, (_, single: string) => ` ${single.toUpperCase()}`);
}
