import { setTimeout as pause } from "node:timers/promises";
import { Client } from "undici";

/** What became of one request. Times in ms, `at` by the clock of `performance.now`. */
export type Answer = {
  at: number;
  /** When it was sent: later than it was due when all connections were busy. */
  sent: number;
  /** From when it was due until its whole answer was there. */
  ms: number;
  /** 0 when there was none. */
  status: number;
  /** Of a refusal: the error's code; of no answer: the reason. */
  reason?: string;
};

/**
 * Asks for a path below `/api/v1`, or for another one each time, with a key; `address` says for each request where it seems to come
 * from.
 */
export type Question = { origin: string; path: string | (() => string); key: string; address?: () => string };

const ANSWER_WITHIN_MS = 15_000;

/** One connection of its own, kept between requests. Nothing is sent twice. */
function connect({ origin, path, key, address }: Question) {
  const client = new Client(origin, { headersTimeout: ANSWER_WITHIN_MS, bodyTimeout: ANSWER_WITHIN_MS });
  return {
    async ask(due = performance.now()): Promise<Answer> {
      const sent = performance.now();
      const done = (status: number, reason?: string): Answer => ({
        at: due,
        sent,
        ms: performance.now() - due,
        status,
        ...(reason === undefined ? {} : { reason }),
      });
      try {
        const { statusCode, body } = await client.request({
          method: "GET",
          path: `/api/v1${typeof path === "string" ? path : path()}`,
          headers: {
            authorization: `Bearer ${key}`,
            ...(address ? { "x-forwarded-for": address() } : {}),
          },
        });
        const text = await body.text();
        if (statusCode < 400) return done(statusCode);
        return done(statusCode, (JSON.parse(text) as { error: { code: string } }).error.code);
      } catch (error) {
        return done(0, `${(error as NodeJS.ErrnoException).code ?? ""} ${(error as Error).message}`);
      }
    },
    close: () => client.destroy(),
  };
}

/** Each request over a new connection, one after another: several processes behind one port take turns. */
export async function askInTurn(question: Question, requests: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let n = 0; n < requests; n++) {
    const connection = connect(question);
    answers.push(await connection.ask());
    await connection.close();
  }
  return answers;
}

/** So many clients at once, each of which asks again as soon as it was answered, until all requests are sent. */
export async function flood(question: Question, clients: number, requests: number): Promise<Answer[]> {
  const answers: Answer[] = [];
  let left = requests;
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = connect(question);
      while (left-- > 0) answers.push(await connection.ask());
      await connection.close();
    }),
  );
  return answers;
}

/** The same until a time of `performance.now`. A client waits `refusedMs` after a refusal. */
export async function press(
  question: Question,
  { clients, until, refusedMs }: { clients: number; until: number; refusedMs: number },
): Promise<Answer[]> {
  const answers: Answer[] = [];
  await Promise.all(
    Array.from({ length: clients }, async () => {
      const connection = connect(question);
      while (performance.now() < until) {
        const answer = await connection.ask();
        answers.push(answer);
        if (answer.status === 429) await pause(refusedMs);
      }
      await connection.close();
    }),
  );
  return answers;
}

export type Steady = {
  /** What was answered since the last call. */
  lap(): Answer[];
  /** Ends it; returns the rest. */
  stop(): Promise<Answer[]>;
};

/** A fixed rate, whatever the answers do: a slow answer shows in all that wait behind it. The connections take turns. */
export function steady(
  question: Question,
  { perSecond, connections }: { perSecond: number; connections: number },
): Steady {
  const all = Array.from({ length: connections }, () => connect(question));
  const idle = [...all];
  const waiting: number[] = [];
  const underWay = new Set<Promise<void>>();
  let answers: Answer[] = [];
  let running = true;

  const send = () => {
    while (waiting.length > 0 && idle.length > 0) {
      const connection = idle.shift()!;
      const done = connection.ask(waiting.shift()).then((answer) => {
        answers.push(answer);
        idle.push(connection);
        underWay.delete(done);
        send();
      });
      underWay.add(done);
    }
  };
  const sending = (async () => {
    const start = performance.now();
    for (let sent = 0; running; await pause(2)) {
      // The first request is due at once.
      const due = 1 + Math.floor(((performance.now() - start) / 1000) * perSecond);
      for (; sent < due; sent++) waiting.push(start + (sent / perSecond) * 1000);
      send();
    }
  })();
  const lap = () => {
    const taken = answers;
    answers = [];
    return taken;
  };
  return {
    lap,
    async stop() {
      running = false;
      await sending;
      while (underWay.size > 0) await Promise.all(underWay);
      await Promise.all(all.map((connection) => connection.close()));
      return lap();
    },
  };
}

/** How often each status came, refusals with their reason. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, reason } of answers) {
    const what = reason === undefined ? String(status) : `${status} ${reason}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

export const served = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

/** In ms, to the tenth. */
export function percentile(answers: readonly Answer[], part: number): number {
  const sorted = answers.map(({ ms }) => ms).toSorted((a, b) => a - b);
  return Math.round(10 * (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0)) / 10;
}
