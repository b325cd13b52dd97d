import type { FundingRow } from "@tranche/read-models/documents/funding";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { Digest } from "@tranche/webhooks/digest-store";
import type { Follow, Frequency } from "@tranche/webhooks/follow";
import { letter, oneLine, withoutAddresses } from "./letter.ts";
import type { Mail } from "./mailer.ts";

const MONEY = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumSignificantDigits: 3,
});
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const WHEN: Readonly<Record<Frequency, string>> = { at_once: "at once", daily: "every day", weekly: "every Monday" };
/** Investors that one round names. */
const MOST_NAMED = 6;

/** Addresses that a digest leads to. */
export type DigestUrls = { dashboard: string; unsubscribe: { page: string; oneClick: string } };

/** The mail that tells a member what has changed in what they follow, why they get it, and how to end it. */
export function digestMail(
  { name, of, member, every }: Pick<Follow, "name" | "of" | "member" | "every">,
  { rows, more, removed }: Pick<Digest, "rows" | "more" | "removed">,
  { dashboard, unsubscribe }: DigestUrls,
): Mail {
  const followed = isNamedSo({ name, of }, rows) ? oneLine(name) : withoutAddresses(name);
  const changed = rows.length + more;
  const items = rows.map((row) => itemOf(row, dashboard));
  const mail = letter(member, subjectOf(followed, changed, removed), [
    changed > 0
      ? `${counted(changed, "round")} of “${followed}” came or changed.`
      : `Nothing came or changed in “${followed}”.`,
    ...(items.length > 0 ? [{ items }] : []),
    ...(more > 0 ? [`${counted(more, "more round")} are in the dashboard.`] : []),
    ...(removed > 0 ? [`${counted(removed, "round")} went: deleted, or other than what you follow by now.`] : []),
    { title: "What you follow", link: "Look at what you follow", url: `${dashboard}/follows` },
    `You get this because you follow “${followed}” by mail, ${WHEN[every]}.`,
    { title: "Follow it no longer", link: "Follow it no longer", url: unsubscribe.page },
  ]);
  return {
    ...mail,
    headers: {
      "List-Unsubscribe": `<${unsubscribe.oneClick}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
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
  const short = name.length > 80 ? `${name.slice(0, 79)}…` : name;
  return changed > 0 ? `${short}: ${counted(changed, "round")}` : `${short}: ${counted(removed, "round")} went`;
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
