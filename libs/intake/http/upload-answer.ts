import { errorBody } from "@tranche/http/errors/error-body";
import { shownProblems } from "@tranche/shared/domain/records/shown-problem";
import { counted } from "@tranche/shared/domain/text/numbers";
import type { Refusals } from "../reading/refusals.ts";
import { type IngestSummary, tooManyText } from "../reading/summary.ts";
import type { Body } from "./body.ts";
import { IngestError, type IngestErrorCode } from "./errors.ts";

/** A body of an answer as text, with its status. */
export type Answer = { status: number; document: string };

/** The readers say how to give `ops ingest` a mapping. */
const MAPPING_HINT = " Over HTTP: store the mapping with `ops mappings put NAME FILE`, and send with map=NAME.";

type Shown = { body: Body; refusals: Refusals; wait: boolean; requestId: string; publicPath: string };

/** The document of `ops ingest --json` with the first refusals, and what went wrong as an error in the shape of all errors. */
export function uploadAnswer(summary: IngestSummary, { body, refusals, wait, requestId, publicPath }: Shown): Answer {
  const shown = { ...summary, refusals: refusals.first() };
  const wrong = problemOf(summary, body, refusals);
  if (!wrong) return { status: wait ? 200 : 202, document: JSON.stringify(shown) };
  const [code, message] = wrong;
  const error = new IngestError(code, message);
  return {
    status: error.status,
    document: JSON.stringify({ ...shown, ...errorBody(error, { requestId, publicPath }) }),
  };
}

function problemOf(
  { rows, broken_files, refused, set, dead_letters = 0, failed_jobs = 0, lost }: IngestSummary,
  body: Body,
  refusals: Refusals,
): [IngestErrorCode, string] | undefined {
  const why = shownProblems(refusals.first()[0]?.problems ?? []);
  if (body.isTooLong())
    return [
      "payload_too_large",
      "The body has more than 64 MiB without a row. A row has at most 1 MiB; what came before is in.",
    ];
  if (rows.read === 0 && broken_files > 0)
    return ["invalid_request", `Nothing could be read. The body ${why}.${why.includes("--map") ? MAPPING_HINT : ""}`];
  if (failed_jobs > 0 || lost)
    return ["unavailable", "Not everything was stored: `ops status` says why. Send it again."];
  if (refused > 0)
    return [
      "rows_refused",
      `${counted(refused, "row was", "rows were")} refused; the good ones are in. The first: ${why}.`,
    ];
  if (set?.deletions === "refused") return ["too_many_deletions", tooManyText(set)];
  if (dead_letters > 0)
    return [
      "rows_refused",
      `${counted(dead_letters, "record was", "records were")} refused later: \`ops failed list\` says why.`,
    ];
  return undefined;
}
