import { readAmount } from "../mapping/amount.ts";
import { currencyOf } from "../mapping/currency.ts";
import { countryCode } from "@tranche/shared/vocabulary/countries";
import type { DealTypes } from "@tranche/shared/vocabulary/deal-types";
import { keyOf } from "@tranche/shared/text/key";
import type { Sample } from "./sample.ts";
import { dateFormats } from "./dates.ts";

/** The possible meanings of a column. */
export const ROLES = [
  "company",
  "company_slug",
  "date",
  "amount",
  "currency",
  "deal_type",
  "lead",
  "investor_slug",
  "investors",
  "country",
  "city",
  "region",
  "category",
  "round_slug",
  "domain",
  "founded_year",
  "headcount",
] as const;
export type Role = (typeof ROLES)[number];

/** The column of each role that was recognised. */
export type Recognised = Partial<Record<Role, string>>;

type Recogniser = {
  /** On the key of a column's name; the earlier one is the better. */
  names: readonly RegExp[];
  /** How much of the texts that are not empty fits, 0 to 1. */
  fits?: (texts: readonly string[], name: string) => number;
};

/** From this share on the texts of a column fit a role. */
const FITS_FROM = 0.6;

const COMPANY = "(?:company|startup|start-up|organi[sz]ation|business|brand|firm|issuer)";
const share = (texts: readonly string[], fits: (text: string) => boolean) =>
  texts.length === 0 ? 0 : texts.filter((text) => fits(text.trim())).length / texts.length;
const mostlyWords = (texts: readonly string[]) =>
  share(texts, (text) => /\p{L}/u.test(text) && !/^https?:/i.test(text));
const isSlug = (text: string) => /^\S+$/.test(text) && /[a-z]/i.test(text);

function recognisers(dealTypes: DealTypes): Record<Role, Recogniser> {
  return {
    company: {
      names: [
        new RegExp(`^${COMPANY}-name$`),
        new RegExp(`^${COMPANY}$`),
        new RegExp(`^(?!.*(?:country|city|category)).*${COMPANY}.*name`),
        /^name$/,
      ],
      fits: mostlyWords,
    },
    company_slug: {
      names: [new RegExp(`^${COMPANY}.*-(?:permalink|slug)$`), /^(?:permalink|slug)$/],
      fits: (texts) => share(texts, isSlug),
    },
    date: {
      names: [
        /announced|funded-(?:at|on)|funding-date|round-date|deal-date/,
        /\bdate\b/,
        /^(?:at|on|when|day|closed|timestamp|time)$/,
        /date|year|month/,
      ],
      fits: (texts, name) => dateFormats(texts, name).share,
    },
    amount: {
      names: [
        /(?:amount|raised|size|value).*usd|usd.*(?:amount|raised)/,
        /amount|raised/,
        /funding-total|money|round-size|deal-size|investment-size/,
        /^(?:size|value|total|funding|usd|sum)$/,
      ],
      fits: (texts) => share(texts, (text) => readAmount(text).ok || readAmount(text, ",").ok),
    },
    currency: { names: [/currency/, /^ccy$/], fits: (texts) => share(texts, (text) => currencyOf(text) !== undefined) },
    deal_type: {
      names: [
        /(?:round|funding|investment|investmentn|deal)-?(?:round-)?type/,
        /^(?:round|stage|series|funding-round|deal|type)$/,
        /round|stage|series/,
      ],
      fits: (texts) => share(texts, (text) => dealTypes.find(text) !== undefined),
    },
    lead: { names: [/^lead/], fits: mostlyWords },
    investor_slug: { names: [/^investor.*-(?:permalink|slug)$/], fits: (texts) => share(texts, isSlug) },
    investors: {
      names: [/^investors?(?:-names?)?$/, /^(?:all-|other-)?investors?/, /investors|backers|funds$/],
      fits: mostlyWords,
    },
    country: {
      names: [new RegExp(`^${COMPANY}-country`), /^(?!investor).*country/, /^(?:hq|nation|location)$/],
      fits: (texts) => share(texts, (text) => countryCode(text) !== undefined),
    },
    city: {
      names: [new RegExp(`^${COMPANY}-city`), /^city$/, /^(?!investor).*city/, /^(?:location|headquarters)/],
      fits: mostlyWords,
    },
    region: { names: [new RegExp(`^${COMPANY}-region`), /^(?:region|state|province)$/], fits: mostlyWords },
    category: {
      names: [
        new RegExp(`^${COMPANY}-(?:category|industry)`),
        /^(?:category|industry|sector|vertical|market)/,
        /^(?!sub|investor).*(?:categor|industr|sector|vertical)/,
      ],
      fits: mostlyWords,
    },
    round_slug: {
      names: [/(?:transaction|round|deal)-(?:name-)?(?:url|uuid|permalink|slug)$/, /^uuid$/],
      fits: (texts) => share(texts, (text) => isSlug(text) && text.length >= 8),
    },
    domain: {
      names: [/domain|website|homepage|web-site/],
      fits: (texts) => share(texts, (text) => /^(?:https?:\/\/)?[^\s/]+\.[a-z]{2,}/i.test(text)),
    },
    founded_year: {
      names: [/^(?:year-)?founded(?:-year|-at)?$/],
      fits: (texts) => share(texts, (text) => /^\d{4}$/.test(text)),
    },
    headcount: {
      names: [/headcount|employees|team-size/],
      fits: (texts) => share(texts, (text) => /^\d[\d,]*$/.test(text)),
    },
  };
}

/** Recognises columns by their names and, so that a name does not mislead, by what they hold. A column has one role. */
export function recognise(
  { columns, rows }: Sample,
  dealTypes: DealTypes,
  isEmpty: (text: string) => boolean,
): Recognised {
  const textsOf = new Map(
    columns.map((column) => [
      column,
      rows.map((row) => row[column]!.trim()).filter((text) => text !== "" && !isEmpty(text)),
    ]),
  );
  const recognised: Recognised = {};
  const taken = new Set<string>();
  for (const [role, { names, fits }] of Object.entries(recognisers(dealTypes)) as [Role, Recogniser][]) {
    const candidates = columns
      .filter((column) => !taken.has(column))
      .map((column) => ({
        column,
        rank: names.findIndex((name) => name.test(keyOf(column))),
        texts: textsOf.get(column)!,
      }))
      .filter(
        ({ rank, column, texts }) => rank !== -1 && (texts.length === 0 || !fits || fits(texts, column) >= FITS_FROM),
      )
      // A full date is better than a month or a year; then the better name.
      .toSorted((a, b) => precision(role, b) - precision(role, a) || a.rank - b.rank);
    const best = candidates[0];
    if (!best) continue;
    recognised[role] = best.column;
    taken.add(best.column);
  }
  return recognised;
}

function precision(role: Role, { texts, column }: { texts: readonly string[]; column: string }): number {
  return role === "date" && texts.length > 0 ? dateFormats(texts, column).precision : 0;
}
