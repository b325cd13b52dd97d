import { ApiError, leftEarly } from "../errors/api-error.ts";

/** Each may keep a core of Elasticsearch busy for seconds. */
const AT_ONCE = 2;
const MOST_OF_ACCOUNT = 4;
/** As many as a caller walks a list with. Others who ask for the same page wait behind them as well. */
const MOST_IN_LINE = 20;

/**
 * A concurrency limit with a fair queue. Statistics, searches by name and deep pages cost Elasticsearch most: two of them run at a time
 * in this process, and accounts take turns.
 */
export type Turns = {
  /** Whether an account may have one more running or waiting. */
  hasRoom(account: string): boolean;
  /**
   * Does work in a turn of the account. Throws `rate_limited` at once, not as a promise, when the account has no room. Rejects with
   * `request_timeout` when `left` aborts before the work has begun.
   */
  inTurn<T>(account: string, left: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** The same with room for more: deep pages, which callers walk over several connections. */
  inLine<T>(account: string, left: AbortSignal, work: () => Promise<T>): Promise<T>;
};

/** The number of running turns of an account, and the starts of its waiting ones. */
type Load = { running: number; waiting: Set<() => void> };

export function createTurns(): Turns {
  /** Accounts with waiting starts, in the order of their next turns. An account that gets its turn goes to the end. */
  const loads = new Map<string, Load>();
  let running = 0;

  const loadOf = (account: string): Load => {
    const load = loads.get(account) ?? { running: 0, waiting: new Set() };
    loads.set(account, load);
    return load;
  };
  const forgetIdle = (account: string, { running: own, waiting }: Load) => {
    if (own === 0 && waiting.size === 0) loads.delete(account);
  };
  /** The next account to have a turn: of those that have the least running, the first. */
  const next = (): [string, Load] | undefined => {
    const waiting = [...loads].filter(([, load]) => load.waiting.size > 0);
    return waiting.toSorted(([, a], [, b]) => a.running - b.running)[0];
  };
  const giveTurns = () => {
    for (let found; running < AT_ONCE && (found = next());) {
      const [account, load] = found;
      const [start] = load.waiting;
      load.waiting.delete(start!);
      load.running++;
      running++;
      loads.delete(account);
      loads.set(account, load);
      start!();
    }
  };
  const end = (account: string, load: Load) => {
    load.running--;
    running--;
    forgetIdle(account, load);
    giveTurns();
  };
  /** Resolves when the turn has come. */
  const turnOf = (account: string, load: Load, left: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        load.waiting.delete(start);
        forgetIdle(account, load);
        reject(leftEarly(left.reason));
      };
      const start = () => {
        left.removeEventListener("abort", leave);
        resolve();
      };
      load.waiting.add(start);
      if (left.aborted) return leave();
      left.addEventListener("abort", leave, { once: true });
      giveTurns();
    });

  const hasRoomFor = (most: number) => (account: string) => {
    const load = loads.get(account);
    return !load || load.running + load.waiting.size < most;
  };
  const worked = async <T>(account: string, left: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const load = loadOf(account);
    await turnOf(account, load, left);
    try {
      return await work();
    } finally {
      end(account, load);
    }
  };
  /** Does work where the account has less than so much running or waiting. `what` names it in a refusal. */
  const atMost = (most: number, what: string): Turns["inTurn"] => {
    const hasRoom = hasRoomFor(most);
    return (account, left, work) => {
      if (!hasRoom(account)) throw noTurn(what, most);
      return worked(account, left, work);
    };
  };
  return {
    hasRoom: hasRoomFor(MOST_OF_ACCOUNT),
    inTurn: atMost(MOST_OF_ACCOUNT, "statistics and searches by name"),
    inLine: atMost(MOST_IN_LINE, "pages from an offset above 500"),
  };
}

const noTurn = (what: string, most: number) =>
  new ApiError(
    "rate_limited",
    `An account may have ${most} ${what} running or waiting at once, and it has ${most}. Try again in 1 s.`,
    { headers: { "Retry-After": "1" } },
  );
