import {
  type Counts,
  KEPT_MINUTES,
  type NotedMinute,
  OTHERS,
  type SenderParts,
  type SenderSums,
} from "@tranche/shared/accounts/request-sums";

/** Adds up minutes, and has the result when all were added. */
export type Tally<T> = { add(minute: NotedMinute): void; result(): T };

/** The "now" of people: that many minutes, the current one among them. */
const RECENT_MINUTES = 5;
/** Keys, addresses or routes that are shown by themselves. Who has no key may come from any number of networks. */
const SHOWN_PARTS = 100;
export const CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

/** Requests of a sender, or of several, in the last hour. */
export type Figures = {
  requests: number;
  /** Of the last five minutes. */
  recent: number;
  /** By status, such as `429`. */
  by_status: Record<string, number>;
  /** Refused (4xx), failed (5xx), and longer than a second. */
  refused: number;
  failed: number;
  slow: number;
  /** Null without requests. */
  average_ms: number | null;
  /** By class of status and minute, the oldest first. */
  by_minute: Record<(typeof CLASSES)[number], number[]>;
};

/** Requests of a sender with one key, from one address or to one route. */
export type Part = { name: string; requests: number; refused: number; failed: number; slow: number };

/** The figures of each sender. Loops without lists in between: with many accounts they are run through 100,000 times. */
export function figuresBySender(): Tally<Map<string, Figures>> {
  const found = new Map<string, { figures: Figures; ms: number }>();
  return {
    add({ place, sums }) {
      for (const one of sums) {
        for (const sender in one) {
          let there = found.get(sender);
          if (!there) found.set(sender, (there = { figures: noFigures(), ms: 0 }));
          addTo(there.figures, one[sender]!, place);
          there.ms += one[sender]!.ms;
        }
      }
    },
    result: () =>
      new Map(
        [...found].map(([sender, { figures, ms }]) => [
          sender,
          { ...figures, average_ms: figures.requests > 0 ? Math.round(ms / figures.requests) : null },
        ]),
      ),
  };
}

export const noFigures = (): Figures => ({
  requests: 0,
  recent: 0,
  by_status: {},
  refused: 0,
  failed: 0,
  slow: 0,
  average_ms: null,
  by_minute: Object.fromEntries(
    CLASSES.map((name) => [name, Array.from({ length: KEPT_MINUTES }, () => 0)]),
  ) as Figures["by_minute"],
});

/** Of several senders together, what a chart shows. */
export function totalOf(all: Iterable<Figures>): Pick<Figures, "requests" | "by_minute"> {
  const { requests, by_minute } = noFigures();
  const total = { requests, by_minute };
  for (const figures of all) {
    total.requests += figures.requests;
    for (const name of CLASSES) figures.by_minute[name].forEach((count, place) => (by_minute[name][place]! += count));
  }
  return total;
}

function addTo(figures: Figures, { statuses, slow }: SenderSums, place: number): void {
  for (const status in statuses) {
    const requests = statuses[status]!;
    const name = `${Math.min(5, Math.max(2, Math.floor(Number(status) / 100)))}xx` as (typeof CLASSES)[number];
    figures.requests += requests;
    if (place >= KEPT_MINUTES - RECENT_MINUTES) figures.recent += requests;
    figures.by_status[status] = (figures.by_status[status] ?? 0) + requests;
    if (name === "4xx") figures.refused += requests;
    if (name === "5xx") figures.failed += requests;
    figures.by_minute[name][place]! += requests;
  }
  figures.slow += slow;
}

/**
 * The keys, addresses or routes of the sender whose parts were read, those with the most requests first, and last the sum of all others.
 * `as`: to whose requests those of a name are added.
 */
export function partsOf(
  kind: keyof SenderParts,
  as = (name: string): string => name.replace(/^::ffff:/, ""),
): Tally<Part[]> {
  const found = new Map<string, Counts>();
  const count = (name: string, counts: Counts) =>
    found.set(name, (found.get(name) ?? [0, 0, 0, 0]).map((sum, n) => sum + counts[n]!) as Counts);
  return {
    add({ parts }) {
      for (const [name, counts] of parts.flatMap((one) => Object.entries(one[kind]))) {
        count(name === OTHERS ? OTHERS : as(name), counts);
      }
    },
    result() {
      const named = [...found].filter(([name]) => name !== OTHERS).toSorted(([, [a]], [, [b]]) => b - a);
      for (const [name, counts] of named.splice(SHOWN_PARTS)) {
        found.delete(name);
        count(OTHERS, counts);
      }
      const others = found.get(OTHERS);
      return [...named, ...(others ? [[OTHERS, others] as const] : [])].map(
        ([name, [requests, refused, failed, slow]]) => ({ name, requests, refused, failed, slow }),
      );
    },
  };
}

/** The name of a session, an access token or a feed link. */
export const NO_KEY = "dashboard, application or feed";

/** Names of keys by their ids. One that is no name of a key alone, such as that of a rotated key, is told apart by the key's beginning. */
export function keyNames(
  keys: readonly { key_id: string; name: string; prefix: string }[],
): ReadonlyMap<string, string> {
  const taken = [OTHERS, NO_KEY, ...keys.map(({ name }) => name)];
  const isUnique = (name: string) => taken.indexOf(name) === taken.lastIndexOf(name);
  return new Map(keys.map(({ key_id, name, prefix }) => [key_id, isUnique(name) ? name : `${name} (${prefix})`]));
}
