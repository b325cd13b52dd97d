import type { FundingRow } from "../explore/api-rows.ts";
import { shownWord } from "../explore/words.ts";
import { count, money } from "../format.ts";
import { shownDay } from "../../ui/when.tsx";

type Evidence = Readonly<Record<string, unknown>> | null;

/** Why a signal is there, in words; `round` is the round that it came from, `source` the address of a report. */
export type Reason = { text: string; round?: string; source?: string };

/** "Series C, 10 Sept 2013". */
const roundName = ({ deal_type, announced_date }: Pick<FundingRow, "deal_type" | "announced_date">): string =>
  `${shownWord(deal_type)}, ${shownDay(announced_date)}`;

/**
 * The reason of a signal, from its evidence. `rounds` are those of the company that are known here: a round that is not among them is named
 * by the day of detection, which is that of its announcement. Evidence of a kind that is not known here is told member by member.
 */
export function reasonOf(evidence: Evidence, detectedAt: string, rounds: readonly FundingRow[]): Reason {
  if (evidence === null) return { text: "From a record of this company" };
  if (typeof evidence["round_id"] === "string") return ofRound(evidence, evidence["round_id"], detectedAt, rounds);
  const { technologies, from, to, days, signal_id: signal, evidence_url: url } = evidence;
  if (Array.isArray(technologies)) return { text: `Works with ${technologies.map(String).join(", ")}` };
  if (typeof from === "number" && typeof to === "number" && typeof days === "number")
    return { text: `From ${count(from)} to ${count(to)} people within ${count(days)} days` };
  if (signal !== undefined)
    return isWebAddress(url)
      ? { text: `Reported by ${new URL(url).hostname}`, source: url }
      : { text: "Reported by a source" };
  return {
    text: Object.entries(evidence)
      .map(([name, value]) => `${plain(name)}: ${JSON.stringify(value)}`)
      .join(", "),
  };
}

function ofRound(
  evidence: NonNullable<Evidence>,
  id: string,
  detectedAt: string,
  rounds: readonly FundingRow[],
): Reason {
  const known = rounds.find((round) => round.id === id);
  const {
    from,
    to,
    days,
    milestone_usd: mark,
    total_raised_usd: total,
    amount_usd: amount,
    investor_ids: leads,
  } = evidence;
  const details = [
    typeof amount === "number" && money(amount),
    typeof from === "string" && typeof to === "string" && `after ${shownWord(from)}`,
    typeof days === "number" && `${count(days)} ${days === 1 ? "day" : "days"} after the round before`,
    typeof mark === "number" && typeof total === "number" && `past ${money(mark)} with ${money(total)} in all`,
    Array.isArray(leads) && ledBy(leads.map(String), known),
  ].filter((detail) => typeof detail === "string");
  const name = known ? roundName(known) : `A round of ${shownDay(detectedAt)}`;
  return { text: [name, ...details].join(", "), ...(known ? { round: id } : {}) };
}

function ledBy(leads: readonly string[], round: FundingRow | undefined): string {
  const names = round?.investors.filter(({ id }) => leads.includes(id)).map(({ name }) => name) ?? [];
  if (names.length === leads.length) return `led by ${names.join(" and ")}`;
  return leads.length === 1 ? "led by an investor new to it" : `led by ${leads.length} investors new to it`;
}

const plain = (name: string) => name.replace(/_usd$/, "").replaceAll("_", " ");
const isWebAddress = (url: unknown): url is string =>
  typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url);
