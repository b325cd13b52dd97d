import { knownLabel } from "./labels.ts";
import { different, isUrl, type Recogniser, shareOf } from "./recogniser.ts";
import type { Column } from "./roles.ts";

/** Where the numbers of rows begin, which begin anew in the next file. An `id` from 1 on may be that of a database. */
const RUN_FROM: Readonly<Record<string, readonly number[]>> = { id: [0], nr: [0, 1], "lfd-nr": [0, 1] };
const areRunning = ({ key, texts }: Column) =>
  (RUN_FROM[key] ?? []).some((first) => texts.every((text, n) => Number(text) === first + n));

/** Columns of numbers of people, open positions, ids and addresses. Employees in a list of layoffs are those who go. `columns`: all of the file. */
export const factColumns = (columns: readonly Column[]) =>
  ({
    laid_off: {
      names: [
        /laid-?off|lay-?offs?(?:-|$)|entlassen|jobs?-(?:cuts?|lost)(?:-|$)|(?:workers|employees|people|staff|headcount)-(?:affected|impacted|cuts?|reduction|let-go)|(?:affected|impacted)-(?:workers|employees|people)/,
        ...(columns.some(({ key }) => /lay-?offs?-|closure|(?:^|-)warn-/.test(key))
          ? [/(?:^|-)(?:employees|workers)(?:-|$)/]
          : []),
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /^\d[\d,. ]*%?$/.test(text)),
      traps: [[/perc|share|%|anteil/, "no field of a record holds it"]],
    },
    job: {
      names: [
        /^(?:job|position|vacancy)(?:-(?:title|name))?$|^open-(?:positions|roles|jobs)$|^(?:stelle|stellentitel|stellenbezeichnung)$/,
        ...(columns.some(({ key }) => /^(?:date-)?posted(?:-|$)|salary/.test(key)) ? [/^title$/] : []),
      ],
      fits: ({ texts }) => shareOf(texts, (text) => /[\p{L}\d]/u.test(text)),
    },
    headcount: {
      names: [/headcount|employees|employee-count|team-size|mitarbeiter|effectif|empleados|anzahl-beschaftigte/],
      fits: ({ texts }) => shareOf(texts, (text) => /^\d[\d,]*$/.test(text)),
      traps: [[/laid|layoff|cut/, "people who were laid off are not the headcount"]],
    },
    round_slug: {
      names: [
        /(?:transaction|round|deal)-(?:name-)?(?:url|uuid|permalink|slug|id|nr|no|number|nummer|code)$/,
        /^(?:uuid|id|nr|lfd-nr|guid)$/,
      ],
      fits: (column) =>
        different(column.texts) === 1 && !areRunning(column)
          ? shareOf(column.texts, (text) => /^\S+$/.test(text) && knownLabel(text) === undefined)
          : 0,
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
  }) satisfies Record<string, Recogniser>;
