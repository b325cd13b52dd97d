import { keyOf } from "@tranche/shared/domain/text/key";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { readAmount, unitOf } from "../mapping/amount.ts";
import { countryIn } from "../mapping/country.ts";
import { monthOf } from "../mapping/month-names.ts";
import { currencyOf } from "../mapping/currency.ts";
import type { Sample } from "./sample.ts";
import { amountsOf, unitAndCurrencyOf } from "./amounts.ts";
import { knownLabel } from "./labels.ts";

/** The possible meanings of a column, in the order in which they are decided. */
export const MEANINGS = {
  laid_off: "the people who were laid off",
  acquirer: "the company that acquires",
  job: "an open position",
  company: "the name of the company",
  company_slug: "the permalink of the company",
  founded_year: "the year in which the company was founded",
  headcount: "the headcount of the company",
  date: "the day of the round",
  month: "the month or the quarter of the date",
  day: "the day of the month of the date",
  currency: "the currency of the amount",
  unit: "the unit of the amount",
  amount: "the amount of the round",
  deal_type: "the type of the round",
  lead: "the lead investors",
  investor_slug: "the permalink of the investor",
  investors: "the investors",
  country: "the country of the company",
  city: "the city of the company",
  region: "the region of the company",
  category: "the category of the company",
  round_slug: "the id of the round",
  domain: "the domain of the company",
  source: "the source of the round",
} as const;
export type Role = keyof typeof MEANINGS;
export const ROLES = Object.keys(MEANINGS) as Role[];

/** Roles of rounds; without a date there are none. */
export const ROUND_ROLES: ReadonlySet<Role> = new Set([
  "date",
  "month",
  "day",
  "currency",
  "unit",
  "amount",
  "deal_type",
  "lead",
  "investor_slug",
  "investors",
  "round_slug",
  "source",
]);

/** The known facts of a column. */
export type Column = {
  name: string;
  /** The key of its name, with `fundingDate` as two words. */
  key: string;
  /** Its texts that say something. */
  texts: string[];
};

/** The key of a column that has quarters beside one that has years. */
export const QUARTER = /(?:^|-)(?:quarter|qtr|quartal|trimestre|trimester|kwartal|kwartaal)$/;
const PART = "part";

type Recogniser = {
  /** On the key of a column's name; the earlier one is the better. */
  names: readonly RegExp[];
  /** How much of the texts fits, 0 to 1. */
  fits: (column: Column) => number;
  /** Named like the role, but something else: why. `PART`: unless no other column has the role. */
  traps?: readonly (readonly [RegExp, string, typeof PART?])[];
};

/**
 * The key of a column's name: `fundingDate` is two words. In JSON, names that contain all others are left out, and a list is named by
 * one of its items: `data.rounds.type` is `round-type`.
 */
export function columnKey(name: string, { path, columns }: Pick<Sample, "path" | "columns"> = { columns: [] }): string {
  const list = path?.split(".") ?? [];
  const around = list.slice(0, -1).join(".");
  const isAround = around !== "" && columns.every((column) => column.startsWith(`${around}.`));
  const inList = path !== undefined && name.startsWith(`${path}.`);
  const isWhole = path !== undefined && columns.every((column) => column.startsWith(`${path}.`));
  const written = isWhole
    ? name.slice(path.length + 1)
    : inList && GENERIC_LISTS.test(list.at(-1)!)
      ? name.slice(path.length + 1)
      : inList
        ? `${list.at(-1)!.replace(/s$/, "")}.${name.slice(path.length + 1)}`
        : isAround
          ? name.slice(around.length + 1)
          : name;
  const bare = written.replace(/(?<=^|\.)(?:fields|properties|attributes|_source)\./g, "");
  return keyOf(bare.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")).normalize("NFC");
}

/** Names of lists that do not say what their items are. */
const GENERIC_LISTS =
  /^(?:data|items?|results?|rows?|records?|list|entries|values|content|elements|docs|hits|entities)$/i;

const COMPANY =
  "(?:company|companies|startup|start-up|organi[sz]ation|firm|issuer|employer|firma|unternehmen|gesellschaft|societe|entreprise|empresa|compania|azienda|societa|impresa|bedrijf|foretag|bolag|virksomhed|spolka|sirket|компания|公司|企业|企業|会社|회사)";
const NAME = "(?:name|nom|nombre|nome|naam|namn|navn|nazwa|название|名称|名)";
const NOT_NAMES =
  "country|land|city|stadt|state|region|categor|industry|branche|sector|typ|size|url|website|web|domain|id|nr|permalink|slug|uuid|number|stage|status|description|location|founded|age|investor|acquir|employees|code|date|market|email|phone|linkedin|hq|count";

const shareOf = (texts: readonly string[], fits: (text: string) => boolean) =>
  texts.length === 0 ? 0 : texts.filter(fits).length / texts.length;
const isUrl = (text: string) => /^https?:\/\//i.test(text);
/** Also of several items of a list. */
export const YES_OR_NO =
  /^(?:true|false|yes|no|y|n|ja|nein|oui|non|si|sí|x)(?:, ?(?:true|false|yes|no|y|n|ja|nein|oui|non|si|sí|x))*$/i;
const mostlyWords = ({ texts }: Column) =>
  shareOf(texts, (text) => /\p{L}/u.test(text) && !isUrl(text) && !YES_OR_NO.test(text));
const slugs = ({ texts }: Column) => shareOf(texts, (text) => /^\S+$/.test(text) && /[a-z]/i.test(text));
const STATES_ONLY = new Set("CT DC FL HI IA KS ND NH NJ NV NY OH OK OR RI TX UT VT WA WI WV WY".split(" "));
const isStateOnly = (text: string) => STATES_ONLY.has(text);
const different = (texts: readonly string[]) => new Set(texts).size / Math.max(1, texts.length);

/** Employees in a list of layoffs are those who go. `columns`: all of the file. */
export function recognisers(
  dealTypes: DealTypes,
  columns: readonly Column[],
): Record<Exclude<Role, "date">, Recogniser> {
  return {
    laid_off: {
      names: [
        /laid-?off|lay-?offs?(?:-|$)|entlassen|job-cuts|(?:workers|employees)-affected/,
        ...(columns.some(({ key }) => /lay-?offs?-|closure/.test(key)) ? [/(?:^|-)(?:employees|workers)(?:-|$)/] : []),
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /^\d[\d,. ]*%?$/.test(text)),
      traps: [[/perc|share|%|anteil/, "no field of a record holds it"]],
    },
    acquirer: {
      names: [/acquir(?:er|or)(?:-|$)|^acquiring|^parent-company$|^buyer(?:-|$)|kaufer|acquereur|erwerber/],
      fits: mostlyWords,
    },
    job: {
      names: [
        /^(?:job|position|vacancy)(?:-(?:title|name))?$|^open-(?:positions|roles|jobs)$|^(?:stelle|stellentitel|stellenbezeichnung)$/,
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /[\p{L}\d]/u.test(text)),
    },
    company: {
      names: [
        new RegExp(
          `^${COMPANY}-?${NAME}$|^${NAME}-(?:of-|de-|der-|du-)?(?:the-|la-|l)?-?${COMPANY}$|^firmenname$|^unternehmensname$|^raison-sociale$|^razon-social$`,
        ),
        new RegExp(`^${COMPANY}$|^entity-name$`),
        new RegExp(
          `^(?:portfolio|funded|investee|acquired|target|associated)-${COMPANY}$|^legal-name$|^acquiree|^acquired$|^(?:brand|account|project|business|venture)-name$`,
        ),
        new RegExp(`^(?!.*(?:${NOT_NAMES})).*${COMPANY}.*${NAME}(?:-|$)`),
        new RegExp(`^(?:funded-)?${COMPANY}-identifier-value$`),
        new RegExp(`^${COMPANY}-(?:brand|startup|legal|official|registered|lt|laut)(?:-|$)`),
        new RegExp(`^${NAME}$`),
        /^(?:brand|venture|business|account|project|portfolio|target|investee|legal-name)$/,
      ],
      fits: mostlyWords,
    },
    company_slug: {
      names: [new RegExp(`^${COMPANY}.*-(?:permalink|slug)$`), /^(?:permalink|slug)$/],
      fits: slugs,
    },
    founded_year: {
      names: [
        /^(?:year-)?founded(?:-year|-at|-in)?$|^launch(?:ed)?-year$|^year-launched$/,
        /founded|gegrundet|grundung|established|incorporated|inception|fundacion|fundado|creation|^creee?-en$|основан/,
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /^(?:1[89]|20)\d{2}(?:\.0)?$/.test(text)),
    },
    headcount: {
      names: [/headcount|employees|team-size|mitarbeiter|effectif|empleados|anzahl-beschaftigte/],
      fits: ({ texts }) => shareOf(texts, (text) => /^\d[\d,]*$/.test(text)),
      traps: [[/laid|layoff|cut/, "people who were laid off are not the headcount"]],
    },
    month: {
      names: [/(?:^|-)(?:month|monat|mois|mes|mese)$/, QUARTER],
      fits: ({ texts, key }) =>
        QUARTER.test(key)
          ? shareOf(texts, (text) => /^(?:q ?)?[1-4]$/i.test(text))
          : shareOf(texts, (text) => monthOf(text) !== undefined || /^(?:0?[1-9]|1[0-2])$/.test(text)),
    },
    day: {
      names: [/(?:^|-)(?:day|tag|jour|dia|giorno)$/],
      fits: ({ texts }) => shareOf(texts, (text) => /^(?:0?[1-9]|[12]\d|3[01])$/.test(text)),
    },
    currency: {
      names: [/currency|wahrung|devise|moneda|moeda|valuta|waluta|валюта|币种|通貨/, /^(?:ccy|cur|curr)$/],
      fits: ({ texts }) => shareOf(texts, (text) => currencyOf(text) !== undefined),
    },
    unit: {
      names: [/(?:^|-)(?:units?|einheit|unite|unidad|scale|multiplier|magnitude)$/],
      fits: ({ texts }) => shareOf(texts, (text) => unitOf(text) !== undefined),
    },
    amount: {
      names: [
        /(?:amount|raised|size|value).*usd|usd.*(?:amount|raised)/,
        /^(?:the-)?(?:round-|deal-)?(?:amount|raised|amount-raised|raised-amount|money-raised|deal-size|round-size|size)(?:-in)?(?:-(?:usd|us|eur|gbp|inr|k|m|mm|mn|bn|cr|millions?|thousands?|crores?|lakhs?|dollars?))*$/,
        /^(?!.*total).*(?:amount|raised)|betrag|volumen|montant|monto|importe|valor|quantia|importo|bedrag|belopp|bel[oø]b|kwota|сумма|金额|融资额|調達額|투자금|deal-amount/,
        /amount|raised|^raise$/,
        /money|round-size|deal-size|investment-size|deal-value|ticket|summe|finanzierung(?:ssumme|svolumen)/,
        /funding-total|^(?:size|value|total|usd|sum)$/,
        /^(?:the-)?(?:funding|investment|capital|investition|kapital)(?:-|$)(?!.*(?:type|round|stage|date|status))/,
        /^(?:funds)/,
      ],
      fits: ({ texts, name }) => amountsOf(texts, name).share,
      traps: [
        [
          /valuation|bewertung|valorisation|valoracion|pre-money|post-money/,
          "a valuation is not the amount of a round",
        ],
        [
          /revenue|umsatz|sales|chiffre|turnover|ebitda|profit|loss|burn|price|market-cap/,
          "it is not the amount of a round",
        ],
        [/(?:^|-)(?:debt|loan|grant|secondary|equity)(?:-|$)/, "it is a part of what was raised", PART],
        [/(?:^|-)ask(?:ed)?(?:-|$)/, "what was asked for is not what was raised"],
        [/percent|share|stake|anteil|count|number-of|rounds|rank|laid/, "it is not the amount of a round"],
        [
          /to-date|cumulative|previous|prior|average|committed|expected|planned|target/,
          "it is not the amount of this round",
        ],
        [/date|type|stage|status/, "its name says something else"],
      ],
    },
    deal_type: {
      names: [
        /(?:round|funding|investment|investmentn|deal)-?(?:round-)?type|^finanzierungs(?:art|runde)$|^type-de-tour$|^tour-de-table$/,
        /^(?:round|series|funding-round|deal|type|runde|serie|tour|ronda|rodada|runda|раунд|轮次|ラウン[トド]|라운드|last-round)$/,
        /^(?:stage|funding-stage|phase|etapa|fase|стадия)$/,
        /round|stage|series|runde|раунд/,
      ],
      fits: ({ texts, key }) => {
        const known = shareOf(texts, (text) => dealTypes.find(text) !== undefined || knownLabel(text) !== undefined);
        const isNamed = /^(?:(?:funding-)?(?:round|stage|type)|runde|tour|serie|ronda|раунд|轮次)$/.test(key);
        const areLabels = different(texts) <= 0.5 || texts.length < 10;
        return isNamed && areLabels && known > 0 ? 1 : known;
      },
      traps: [
        [
          /number|count|date|size|amount|valuation|multiple|revenue|investor|id$|url$|(?<!^(?:round|series|deal|funding-round)-)name$/,
          "its name says something else",
        ],
      ],
    },
    lead: {
      names: [/(?:^|-)lead(?:-|$)/, /^haupt-?investor|^chef-de-file|^inversor-principal|领投|ведущ/],
      fits: mostlyWords,
      traps: [
        [
          /lead-(?:source|status|owner|score|stage|partner|time|id)|date|count|number|amount|city|region|type|url|website|permalink|slug/,
          "its name says something else",
        ],
      ],
    },
    investor_slug: { names: [/^investor.*-(?:permalink|slug)$/], fits: slugs },
    investors: {
      names: [
        /^investors?(?:-names?)?$|^investoren$|^investisseurs?$|^invers(?:or|ores|ionistas?)$|^investitor[ei]$|^investidor(?:es)?$|^investeerders?$|^investerare$|^инвесторы?$|^投资(?:方|人|机构)$|^投資家$|^투자자$/,
        /^(?:all-|other-)?investors?/,
        /investor|investisseur|inversor|investidor|geldgeber|kapitalgeber|backers|funds$|participants|投资|^fund(?:-name)?$|^vc$/,
      ],
      fits: mostlyWords,
      traps: [[/count|number|city|type|region|url|website|permalink|slug/, "its name says something else"]],
    },
    country: {
      names: [
        new RegExp(`^${COMPANY}-country`),
        /^(?!investor).*country|^(?:land|staat|pays|pais|paese|kraj|maa|страна|国家|国|국가)(?:-|$)/,
        /^(?:hq|nation|location|headquarters?|place|region|geography|market)$/,
      ],
      // Many codes of US states are codes of countries, too.
      fits: ({ texts }) => (texts.some(isStateOnly) ? 0 : shareOf(texts, (text) => countryIn(text) !== undefined)),
    },
    city: {
      names: [
        new RegExp(`^${COMPANY}-city`),
        new RegExp(`^${COMPANY}-(?:location|hq|head-?quarters?)`),
        /^(?:city|stadt|ort|sitz|ville|ciudad|cidade|citta|miasto|stad|by|город|城市|都市|所在地|도시|firmensitz|standort)$/,
        /^(?!investor).*city/,
        /^(?:location|head-?quarters?|hq|place|town|地区|地点)/,
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /\p{L}/u.test(text) && !isUrl(text) && !/^[A-Z]{2}$/.test(text)),
    },
    region: {
      names: [new RegExp(`^${COMPANY}-region`), /^(?:region|state|province|bundesland|kanton)$/],
      fits: mostlyWords,
    },
    category: {
      names: [
        new RegExp(`^${COMPANY}-(?:category|industry)`),
        /^(?:category|industry|sector|vertical|market|branche|industrie|secteur|settore|setor|branza|отрасль|行业)/,
        /^(?!sub|investor).*(?:categor|industr|sector|vertical)/,
      ],
      fits: mostlyWords,
    },
    round_slug: {
      names: [
        /(?:transaction|round|deal)-(?:name-)?(?:url|uuid|permalink|slug|id|nr|no|number|nummer|code)$/,
        /^(?:uuid|id|nr|lfd-nr|guid)$/,
      ],
      fits: ({ texts }) => (different(texts) === 1 ? shareOf(texts, (text) => /^\S+$/.test(text)) : 0),
    },
    domain: {
      names: [/domain|website|homepage|web-site|webseite|internet/, /^(?:web|site|url|сайт|网址|company-url)$/],
      fits: ({ texts }) => shareOf(texts, (text) => /^(?:https?:\/\/)?[^\s/@]+\.[a-z]{2,}/i.test(text)),
    },
    source: {
      names: [
        /^(?:source|sources|quelle|fuente|fonte|источник|source-url|article|news|link|reference)(?:-|$)/,
        /source|article|news|press/,
      ],
      fits: ({ texts }) => shareOf(texts, isUrl),
    },
  };
}

/** Whether a column of amounts is likely, whatever its name: its texts have a currency or a unit. */
export const looksLikeAmounts = ({ texts, name }: Column): boolean =>
  (unitAndCurrencyOf(name).currency !== undefined || shareOf(texts, (text) => /\p{Sc}/u.test(text)) > 0.5) &&
  shareOf(texts, (text) => readAmount(text).ok || readAmount(text, ",").ok) > 0.6;
