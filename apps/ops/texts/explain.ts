import type { Explanation } from "@tranche/operations/explain/explain";
import type { IndexedDocument, Origin, RecordState } from "@tranche/operations/explain/facts";
import { counted, shownDuration } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import type { Style, Terminal } from "../terminal/terminal.ts";

type Paint = Terminal["paint"];

/** Rows of a table; `--json` has all. */
const MAX_ROWS = 20;

const RECORD_STYLES: Record<RecordState["state"], Style> = {
  stored: "green",
  deleted: "red",
  incomplete: "yellow",
  unknown: "yellow",
};
const COMPARED: Record<IndexedDocument["compared"], [Style, string]> = {
  same: ["green", "as derived"],
  stale: ["red", "stale"],
  missing: ["red", "missing"],
  extra: ["red", "extra"],
  unknown: ["dim", "not compared"],
};

/** An explanation as people read it: the answer first, then what it follows from. */
export function explanationText(explanation: Explanation, paint: Paint): string {
  const { type, id, why } = explanation;
  const heading = (text: string) => paint("bold", text);
  const sections = [
    [`${heading(`${type} ${id}`)} ${headline(explanation, paint)}`, ...why.map((sentence) => `  • ${sentence}`)],
    section(heading("Indices"), indicesText(explanation, paint)),
    section(heading("Differences"), differencesText(explanation)),
    section(heading("Records"), recordsText(explanation, paint)),
    section(heading("Dead letters"), deadLettersText(explanation)),
    [jobsText(explanation)],
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

const section = (heading: string, text: string): string[] => (text === "" ? [] : [heading, text]);

function headline({ document, records, id }: Explanation, paint: Paint): string {
  const live = document?.indices.find(({ role }) => role === "live");
  if (live) {
    const [style, compared] = COMPARED[live.compared];
    return `is ${live.state === "shown" ? "shown" : "not shown"} (${paint(style, compared)})`;
  }
  const own = records.find((record) => record.id === id);
  return own ? `is ${paint(RECORD_STYLES[own.state], own.state)}` : "";
}

function indicesText({ document }: Explanation, paint: Paint): string {
  const rows = (document?.indices ?? []).map(({ role, index, ticket, state, compared }) => {
    const [style, text] = COMPARED[compared];
    return [role, index, state, ticket === null ? "" : `${ticket} (${timeOfTicket(ticket)})`, paint(style, text)];
  });
  return table(["role", "index", "document", "ticket", "compared"], rows, "");
}

/** Tickets count microseconds since 1970. */
function timeOfTicket(ticket: number): string {
  return new Date(ticket / 1000).toISOString().replace(/\.\d+Z$/, "Z");
}

function differencesText({ document }: Explanation): string {
  const rows = (document?.indices ?? []).flatMap(({ role, differences }) =>
    differences.map(({ field, stored, derived }) => [role, field, stored ?? "", derived ?? ""]),
  );
  return table(["role", "field", "the index has", "the records give"], rows.slice(0, MAX_ROWS), "") + more(rows.length);
}

function recordsText({ records, edges, stakes, truncated }: Explanation, paint: Paint): string {
  const rows = records.map(({ type, id, state, version, updated_at, name, company_id, from, merges }) => [
    type,
    id,
    paint(RECORD_STYLES[state], state),
    version === null ? "" : String(version),
    merges.length === 0
      ? ""
      : merges
          .map((merge) => `${merge.version}: ${merge.fields.join(", ")}${originText(merge.from, "\n  ")}`)
          .join("\n"),
    updated_at ?? "",
    originText(from),
    name ?? (company_id ? `of ${company_id}` : ""),
  ]);
  const head = ["type", "id", "state", "version", "merges", "updated at", "from", "name"];
  return [
    table(head, rows.slice(0, MAX_ROWS), "") + more(rows.length),
    ...leads(
      "Edges",
      edges.map(({ type, record_id, company_id }) => `${type} ${record_id} → ${company_id}`),
    ),
    ...leads(
      "Stakes",
      stakes.map(({ round_id, investor_ids }) => `round ${round_id} → ${investor_ids.join(", ")}`),
    ),
    ...(truncated ? ["More records lead to it than were read."] : []),
  ].join("\n");
}

/** `run-1 deals.csv line 12`, after `before`; nothing where nobody noted it. */
function originText(from: Origin | undefined, before = ""): string {
  if (!from) return "";
  const file = from.file_name ?? (from.file === undefined ? undefined : `file ${from.file}`);
  const place = from.line === undefined ? from.element && `element ${from.element}` : `line ${from.line}`;
  return (
    before + [from.run, from.set && `set ${from.set}`, file, place].filter((part) => typeof part === "string").join(" ")
  );
}

function leads(name: string, each: readonly string[]): string[] {
  if (each.length === 0) return [];
  const rest = each.length > MAX_ROWS ? ` and ${each.length - MAX_ROWS} more` : "";
  return [`${name}: ${each.slice(0, MAX_ROWS).join("; ")}${rest}`];
}

function deadLettersText({ dead_letters }: Explanation): string {
  const rows = dead_letters.map(({ id, subject, reason, at }) => [id, subject, reason, at]);
  return table(["id", "what", "reason", "at"], rows.slice(0, MAX_ROWS), "") + more(rows.length);
}

function jobsText({ jobs }: Explanation): string {
  const { waiting, active, naming, oldest_seconds } = jobs;
  if (waiting + active === 0) return "Open jobs: none";
  const age = oldest_seconds === null ? "" : `, the oldest ${shownDuration(oldest_seconds)} old`;
  return `Open jobs: ${counted(waiting, "job")} waiting, ${active} active${age}; ${naming} of those read name it`;
}

const more = (count: number): string =>
  count > MAX_ROWS ? `\n… and ${count - MAX_ROWS} more; --json shows them.` : "";
