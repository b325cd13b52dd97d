import { monthOf } from "../mapping/month-names.ts";
import { type Recogniser, shareOf } from "./recogniser.ts";

/** Names of columns of dates; the earlier one is the better. */
export const DATE_NAMES = [
  /announced|^announcement$|^(?:warn-)?notice-date$|(?:funded|raised)-(?:at|on)|(?:funding|round|deal|investment|transaction)-(?:date|at|on)(?:-|$)|date-(?:of-)?(?:funding|round|announce)|bekannt|angekundigt|ankundigung/,
  /(?:^|-)date(?:-|$)|datum|fecha|^data(?:-|$)|дата|日期|日付|調達日|発表日|時間|时间|날짜|투자일|일자|tarih|ημερομηνια|paivamaara|^dato(?:-|$)|التاريخ/,
  /^(?:at|on|when|day|closed|closing|timestamp|ts|time|abschluss|tag|zeitpunkt)(?:-|$)/,
  /(?:^|-)(?:closed|closing|completed|signed|won)-(?:at|on|time)$/,
  /(?:posted|published|acquired|laid-off|effective|notice|listed)(?:-|$)/,
  /year|month|quarter|week|woche|jahr|quartal|trimestre|monat|^ano$|annee|date|год|年/,
];
/** Named like a date, but something else: why. */
export const DATE_TRAPS: readonly (readonly [RegExp, string])[] = [
  [
    /founded|gegrundet|grundung|established|incorporat|inception/,
    "a company is founded then, which is not the day of a round",
  ],
  [
    /updated|modified|aktualisiert|created|creation|^create-date$|scraped|retrieved|crawled|accessed|added|inserted|entry|first-seen|(?:^|-)stand$|as-of|imported/,
    "it says when the list was made",
  ],
  [
    /next|expected|planned|valid|birth|born|ipo|exit|due|expir|deadline|last-seen|employees|count/,
    "it is not the day of a round",
  ],
];
/** Whole numbers are dates only where the column's name says so: amounts are numbers, too. */
export const NUMBER_FORMATS = new Set(["yyyy", "yyyyMM", "yyyyMMdd", "yyyyMMddHHmm", "excel", "unix", "unix_ms"]);

/** The key of a column that has quarters beside one that has years. */
export const QUARTER = /(?:^|-)(?:quarter|qtr|quartal|trimestre|trimester|kwartal|kwartaal)$/;

/** A year, alone or within a date. */
const FOUNDED = /^(?:[^\d]*|.{1,24}[^\d])(?:1[89]|20)\d{2}(?:\D.{0,24})?$/;

/** `May 14` and `14. Mai`. */
const isDayOfMonth = (text: string) => {
  const [, before, behind] = /^(?:(\p{L}{3,}) \d{1,2}|\d{1,2}\.? (\p{L}{3,}))$/u.exec(text) ?? [];
  return monthOf(before ?? behind ?? "") !== undefined;
};

/** Columns of parts of dates, and of the year in which a company was founded. */
export const DATE_PART_COLUMNS = {
  founded_year: {
    names: [
      /^(?:year-)?founded(?:-year|-at|-in)?$|^launch(?:ed)?-year$|^year-launched$/,
      /founded|gegrundet|grundung|established|incorporat|inception|fundacion|fundado|creation|^creee?-en$|основан/,
    ],
    // A day of creation is rather that of the row.
    fits: ({ texts, key }) => shareOf(texts, (text) => (/creation/.test(key) ? /^\d{4}(?:\.0)?$/ : FOUNDED).test(text)),
  },
  month: {
    names: [/(?:^|-)(?:month|monat|mois|mes|mese)$/, QUARTER, /^(?:date|datum|day)$/],
    fits: ({ texts, key }) =>
      QUARTER.test(key)
        ? shareOf(texts, (text) => /^(?:q ?)?[1-4]$/i.test(text))
        : shareOf(
            texts,
            (text) => monthOf(text) !== undefined || isDayOfMonth(text) || /^(?:0?[1-9]|1[0-2])$/.test(text),
          ),
  },
  day: {
    names: [/(?:^|-)(?:day|tag|jour|dia|giorno)$/],
    fits: ({ texts }) => shareOf(texts, (text) => /^(?:0?[1-9]|[12]\d|3[01])$/.test(text)),
  },
} satisfies Record<string, Recogniser>;
