import { monthOf } from "../mapping/month-names.ts";
import { type Recogniser, shareOf } from "./recogniser.ts";

/** Names of columns of dates; the earlier one is the better. */
export const DATE_NAMES = [
  /announced|funded-(?:at|on)|(?:funding|round|deal|investment|transaction)-date|date-(?:of-)?(?:funding|round|announce)|bekannt|angekundigt|ankundigung/,
  /(?:^|-)date(?:-|$)|datum|fecha|^data(?:-|$)|дата|日期|日付|調達日|発表日|時間|时间|날짜|tarih|^dato(?:-|$)|التاريخ/,
  /^(?:at|on|when|day|closed|closing|timestamp|ts|time|abschluss|tag|zeitpunkt)(?:-|$)/,
  /(?:^|-)(?:closed|closing|completed|signed)-(?:at|on)$/,
  /(?:posted|published|acquired|laid-off|effective|notice|listed)(?:-|$)/,
  /year|month|quarter|week|woche|jahr|quartal|monat|^ano$|annee|date|год|年/,
];
/** Named like a date, but something else: why. */
export const DATE_TRAPS: readonly (readonly [RegExp, string])[] = [
  [
    /founded|gegrundet|grundung|established|incorporated|inception/,
    "a company is founded then, which is not the day of a round",
  ],
  [
    /updated|modified|aktualisiert|created|^create-date$|scraped|retrieved|crawled|accessed|added|inserted|entry|first-seen|(?:^|-)stand$|as-of|imported/,
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

/** Columns of parts of dates, and of the year in which a company was founded. */
export const DATE_PART_COLUMNS = {
  founded_year: {
    names: [
      /^(?:year-)?founded(?:-year|-at|-in)?$|^launch(?:ed)?-year$|^year-launched$/,
      /founded|gegrundet|grundung|established|incorporated|inception|fundacion|fundado|creation|^creee?-en$|основан/,
    ],
    fits: ({ texts }) => shareOf(texts, (text) => /^(?:1[89]|20)\d{2}(?:\.0)?$/.test(text)),
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
} satisfies Record<string, Recogniser>;
