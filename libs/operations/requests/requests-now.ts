import type { Account, AccountStore } from "@tranche/shared/accounts/account-store";
import { createRecentErrors, type RecentError } from "@tranche/shared/accounts/recent-errors";
import { createRequestSums, KEPT_MINUTES, minuteOf, OTHERS, WITHOUT_KEY } from "@tranche/shared/accounts/request-sums";
import { throttleInForce } from "@tranche/shared/accounts/throttle";
import type { Installation } from "../installation/installation.ts";
import {
  CLASSES,
  type Figures,
  figuresBySender,
  keyNames,
  NO_KEY,
  noFigures,
  type Part,
  partsOf,
  type Tally,
  totalOf,
} from "./figures.ts";

type Stores = {
  accounts: Pick<AccountStore, "accounts" | "keys">;
  installation: Pick<Installation, "redis" | "settings">;
};

/** Accounts that are shown. */
const SHOWN = 200;

/** When it was read, and the minutes that it has, by their beginnings, the oldest first. */
type Span = { read_at: string; minutes: string[] };
type AccountFacts = {
  id: string;
  name: string;
  plan: string;
  status: Account["status"] | "unknown";
  throttled: boolean;
};

/** Who has sent requests in the last hour. */
export type RequestsNow = Span & {
  /** Those of all accounts. */
  total: ReturnType<typeof totalOf>;
  /** Those with the most requests of the last five minutes first, then of the hour. */
  accounts: (AccountFacts & Omit<Figures, "by_minute"> & { per_minute: number[] })[];
  /** How many accounts are not shown. */
  more: number;
  /** Of the accounts that a process has not noted by themselves, because there were too many. */
  others: Figures;
  /** Requests without a key that works, and where they came from. */
  without_key: Figures & { addresses: Part[] };
};

/** The requests of one account in the last hour, and its last errors. */
export type AccountRequests = Span &
  AccountFacts &
  Figures & {
    keys: Part[];
    addresses: Part[];
    routes: Part[];
    errors: ErrorShown[];
  };

/** An error of an account without what its caller sent: no query, no message. */
export type ErrorShown = Pick<RecentError, "at" | "status" | "code" | "method" | "request_id"> & {
  /** Pattern of the path; of errors of earlier versions, the path. */
  route: string;
  /** The parameter that is at fault. */
  parameter: string | null;
  key: string;
};

/** Reads who sends what now. */
export async function requestsNow({ accounts, installation }: Stores): Promise<RequestsNow> {
  const now = Date.now();
  const bySender = figuresBySender();
  const addresses = partsOf("addresses");
  await addMinutes(installation, now, WITHOUT_KEY, [bySender, addresses]);
  const figures = bySender.result();
  const take = (sender: string) => {
    const own = figures.get(sender) ?? noFigures();
    figures.delete(sender);
    return own;
  };
  const withoutKey = take(WITHOUT_KEY);
  const total = totalOf(figures.values());
  const others = take(OTHERS);
  const busiest = [...figures].toSorted(([, a], [, b]) => b.recent - a.recent || b.requests - a.requests);
  const shown = busiest.slice(0, SHOWN);
  const facts = new Map((await accounts.accounts(shown.map(([id]) => id))).map((one) => [one.account, one]));
  return {
    ...spanOf(now),
    total,
    accounts: shown.map(([id, { by_minute, ...own }]) => ({
      ...factsOf(id, facts.get(id), now),
      ...own,
      per_minute: by_minute["2xx"].map((_, n) => CLASSES.reduce((sum, name) => sum + by_minute[name][n]!, 0)),
    })),
    more: busiest.length - shown.length,
    others,
    without_key: { ...withoutKey, addresses: addresses.result() },
  };
}

/** Reads the requests and the last errors of an account. */
export async function requestsOf({ accounts, installation }: Stores, account: Account): Promise<AccountRequests> {
  const { redis, settings } = installation;
  const { account: id } = account;
  const now = Date.now();
  const [keys, errors] = await Promise.all([
    accounts.keys(id),
    createRecentErrors(redis, settings.TRANCHE_NAMESPACE).read(id, now),
  ]);
  const names = keyNames(keys);
  const nameOf = (key: string) => names.get(key) ?? NO_KEY;
  const bySender = figuresBySender();
  const byKey = partsOf("keys", nameOf);
  const byAddress = partsOf("addresses");
  const byRoute = partsOf("routes");
  await addMinutes(installation, now, id, [bySender, byKey, byAddress, byRoute]);
  return {
    ...spanOf(now),
    ...factsOf(id, account, now),
    ...(bySender.result().get(id) ?? noFigures()),
    keys: byKey.result(),
    addresses: byAddress.result(),
    routes: byRoute.result(),
    errors: errors.map(({ at, status, code, method, request_id, route, url, parameter = null, key_id }) => ({
      at,
      status,
      code,
      method,
      route: route ?? url.split("?", 1)[0]!,
      parameter,
      request_id,
      key: nameOf(key_id),
    })),
  };
}

/** Adds the minutes of the last hour up to `now` (ms), with the parts of `sender`. */
async function addMinutes(
  { redis, settings }: Stores["installation"],
  now: number,
  sender: string,
  tallies: readonly Pick<Tally<unknown>, "add">[],
): Promise<void> {
  for await (const minute of createRequestSums(redis, settings.TRANCHE_NAMESPACE).read(now, sender)) {
    for (const tally of tallies) tally.add(minute);
  }
}

const spanOf = (now: number): Span => ({
  read_at: new Date(now).toISOString(),
  minutes: Array.from({ length: KEPT_MINUTES }, (_, n) =>
    new Date((minuteOf(now) - KEPT_MINUTES + 1 + n) * 60_000).toISOString(),
  ),
});

const factsOf = (id: string, account: Account | undefined, now: number): AccountFacts => ({
  id,
  name: account?.name ?? id,
  plan: account?.plan ?? "",
  status: account?.status ?? "unknown",
  throttled: throttleInForce(account?.throttle, now) !== null,
});
