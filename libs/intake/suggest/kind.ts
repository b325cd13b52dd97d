import type { Recognised } from "./columns.ts";
import { MEANINGS, type Role, ROUND_ROLES } from "./roles.ts";

/** The kind of facts in the rows of a file. */
export const KINDS = ["rounds", "layoffs", "acquisitions", "hiring", "companies"] as const;
export type Kind = (typeof KINDS)[number];

/** The signals that a row of a kind gives. */
export const SIGNALS: Readonly<Partial<Record<Kind, readonly string[]>>> = {
  layoffs: ["layoffs"],
  acquisitions: ["acquired", "acquisition_made"],
  hiring: ["hiring"],
};

/** Roles that only tell what the rows are about. */
const TELLING: Readonly<Partial<Record<Role, Kind>>> = { laid_off: "layoffs", acquirer: "acquisitions", job: "hiring" };

/** `given`: by a person. Without a date rows can only be companies. */
export function kindOf(chosen: Recognised["chosen"], given: string | undefined): Kind {
  const isNamed = [chosen.date, chosen.amount].some((each) => /fund|round|raise/.test(each?.column.key ?? ""));
  const isRound = isNamed || [chosen.deal_type, chosen.investors].some(Boolean);
  if (!chosen.date) return "companies";
  if (given !== undefined && (KINDS as readonly string[]).includes(given)) return given as Kind;
  if (chosen.laid_off) return "layoffs";
  // Investors and stages may be those of the company that is acquired, or that hires.
  if (chosen.acquirer && (!isRound || /^(?:target|acquire[de])/.test(chosen.company?.column.key ?? "")))
    return "acquisitions";
  if (chosen.job && (/posted|listed/.test(chosen.date.column.key) || (!isRound && !chosen.amount))) return "hiring";
  return isRound || chosen.amount ? "rounds" : "companies";
}

/** Whether a mapping for rows of this kind uses the column of a role. */
export function isUsed(role: Role, kind: Kind): boolean {
  if (TELLING[role] !== undefined) return TELLING[role] === kind;
  if (kind === "rounds" || !ROUND_ROLES.has(role)) return true;
  return kind !== "companies" && ["date", "month", "day", "source"].includes(role);
}

const DAYS: Readonly<Record<Kind, string>> = {
  rounds: MEANINGS.date,
  layoffs: "the day of the layoffs",
  acquisitions: "the day of the acquisition",
  hiring: "the day of the open position",
  companies: MEANINGS.date,
};

export function meaningOf(role: Role, kind: Kind): string {
  if (role === "date") return DAYS[kind];
  if (role === "company" && kind === "acquisitions") return "the name of the acquired company";
  return role === "source" && kind !== "rounds" ? "the evidence of the signal" : MEANINGS[role];
}

/** Sentences about the rows as a whole. */
export function kindNote(kind: Kind, hasDate: boolean): string | undefined {
  if (kind === "rounds") return undefined;
  if (kind !== "companies") return `The rows are about ${kind}: they give signals, and no rounds.`;
  return hasDate
    ? "No column holds amounts, types of rounds or investors, so no rounds are made."
    : "No column holds dates, so no rounds are made.";
}
