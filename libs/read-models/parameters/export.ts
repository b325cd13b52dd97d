import type { Problem } from "./problem.ts";
import { choice } from "./kinds/choice.ts";
import { flag } from "./kinds/flag.ts";
import { type FiltersAnd, parameter, type ParameterTable, type Values } from "./parameter.ts";
import { USUAL_NAMES } from "./usual-names.ts";

/** Parameters of a list that choose or shape a page of it. */
const OF_A_PAGE: ReadonlySet<string> = new Set(["limit", "offset", "cursor", "sort", "format"]);

const JSON_NOTE = "An export is never one JSON document: NDJSON has one JSON object per line.";

/** The parameters of an export beside those of its list. */
const EXPORT = Object.freeze({
  format: parameter({
    kind: choice(["ndjson", "csv"], {
      notes: { json: JSON_NOTE, default: JSON_NOTE, flat: "CSV has the flat columns." },
    }),
    description: "The format. It takes precedence over the Accept header.",
    example: "csv",
    fallback: "ndjson",
    unfiltered: true,
  }),
  excel: parameter({
    kind: flag(),
    description: "`true`: a CSV that begins with a byte-order mark, by which Excel knows that it is UTF-8.",
    example: "true",
    fallback: "false",
    unfiltered: true,
  }),
});

/** The parameters of the export of a list. */
export type ExportTable = FiltersAnd<typeof EXPORT>;

/** The parameters of the export of a list: its filters, and the format. */
export function exportParameters(list: ParameterTable): ExportTable {
  const filters = Object.entries(list).filter(([name]) => !OF_A_PAGE.has(name));
  return Object.freeze({ ...Object.fromEntries(filters), ...EXPORT });
}

const WHOLE = "An export has all rows that match the filters, ordered by id.";

/** Says of parameters of a page why an export has none; other problems stay as they are. */
export function explainedForExport(problem: Problem): Problem {
  if (problem.code !== "unknown_parameter") return problem;
  const name = problem.parameter.toLowerCase();
  const meant = USUAL_NAMES.get(name)?.use?.[0] ?? name;
  if (!OF_A_PAGE.has(meant)) return problem;
  const { parameter: sent, code, allowed } = problem;
  return { parameter: sent, code, message: `There is no parameter '${sent}' here. ${WHOLE}`, allowed };
}

/** The problem of a file for Excel that is to be NDJSON as well; none in other requests. */
export function excelInNdjson({ excel, format }: Values): Problem[] {
  if (excel !== true || format !== "ndjson") return [];
  const message = "excel=true means CSV, and format=ndjson was sent. Leave one of them out.";
  return [{ parameter: "excel", code: "malformed_value", message, value: "true", suggestion: "false" }];
}
