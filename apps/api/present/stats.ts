import type { Dimension } from "@tranche/read-models/parameters/dimensions";
import type { Value } from "@tranche/read-models/parameters/parameter";
import type { Warning } from "@tranche/read-models/parameters/warning";
import type { GroupKey } from "@tranche/read-models/query/groups";
import { type Answer, answerOf } from "./answer.ts";

/** A member of a JSON object and its value as JSON text. */
export type Member = readonly [name: string, text: string];

/** A group as callers see it, without its figures. */
type GroupHead = { key: GroupKey; names: GroupKey; filters: Readonly<Record<string, string>> | null };

type PresentedStats = {
  by: readonly (readonly [name: string, dimension: Dimension])[];
  groups: readonly { head: GroupHead; count: number; figures: readonly Member[] }[];
  total: { count: number; figures: readonly Member[] };
  other: readonly Member[] | null;
  approximate: Readonly<Record<string, number>>;
  filtersApplied: Readonly<Record<string, Value>>;
  warnings: readonly Warning[];
};

/** The statistics of a list as JSON. */
export function presentStats(parts: PresentedStats): Answer {
  const { by, groups, total, other, approximate, filtersApplied, warnings } = parts;
  const one = (values: GroupKey) => (by.length === 1 ? values[0]! : values);
  const group = ({ head, count, figures }: PresentedStats["groups"][number]): string => {
    const ids = head.key.map((key, n) => (isId(by[n]![1]) ? key : null));
    return object([
      ["key", JSON.stringify(one(head.key))],
      ["name", JSON.stringify(one(head.names))],
      ["id", JSON.stringify(one(ids))],
      ["filters", JSON.stringify(head.filters)],
      ["count", String(count)],
      ["share", String(count / total.count)],
      ...figures,
    ]);
  };
  const rest = {
    group_by: by.map(([name]) => name),
    multi_valued: by.flatMap(([name, { multiValued }]) => (multiValued ? [name] : [])),
    approximate,
    filters_applied: filtersApplied,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return answerOf(
    "json",
    object([
      ["data", `[${groups.map(group).join(",")}]`],
      ["total", object([["count", String(total.count)], ...total.figures])],
      ["other", other ? object(other) : "null"],
      ...Object.entries(rest).map(([name, value]) => [name, JSON.stringify(value)] as const),
    ]),
  );
}

const isId = ({ naming }: Dimension): boolean => naming === "company" || naming === "investor";

const object = (members: readonly Member[]): string =>
  `{${members.map(([name, text]) => `"${name}":${text}`).join(",")}}`;

/**
 * Whole cents as dollars in JSON. As text, because the number nearest to the quotient can have other cents from 7 × 10^13 dollars on.
 */
export function dollars(cents: bigint): string {
  const [whole, odd] = [cents / 100n, cents % 100n];
  return odd === 0n ? String(whole) : `${whole}.${String(odd).padStart(2, "0").replace(/0$/, "")}`;
}
