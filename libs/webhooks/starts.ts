import type { Client } from "@elastic/elasticsearch";
import { retryConflicts } from "@tranche/shared/engines/search/retry-conflicts";
import { WebhookError } from "./webhook.ts";

const DAY_MS = 86_400_000;

/** A webhook that begins at the start, which sends everything there is. `at`: ISO time. */
export type Start = { webhook_id: string; at: string };

/** The starts of an account's webhooks, also of deleted ones. Changes are refused when somebody else was faster. */
export type Starts = {
  /** Those of the last 24 hours. */
  ofAccount(account: string): Promise<Start[]>;
  /** Reads and writes as one step. What `next` throws is passed on. */
  change(account: string, next: (starts: Start[]) => Start[]): Promise<void>;
  /** Takes back the start of a webhook that was deleted before it got anything. */
  withdraw(account: string, webhook: string): Promise<void>;
};

/** Those that still count. `now`: ms. */
export const ofLastDay = (starts: readonly Start[], now: number): Start[] =>
  starts.filter(({ at }) => now < afterStart({ at }));

/** The moment from which a start no longer counts, in ms. */
export const afterStart = ({ at }: Pick<Start, "at">): number => Date.parse(at) + DAY_MS;

type Stored = { kind: "webhook_starts"; account: string; starts: Start[] };

/** Kept with the accounts, apart from the webhooks: deleting one makes no room. `now`: real time in ms. */
export function createStarts(client: Client, index: string, now: () => number = Date.now): Starts {
  const read = async (account: string) => {
    const id = `webhook-starts:${account}`;
    const found = await client.get<Stored>({ index, id }, { ignore: [404] });
    const guard = found.found
      ? { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! }
      : { op_type: "create" as const };
    return { id, starts: ofLastDay(found._source?.starts ?? [], now()), guard };
  };
  const store: Starts = {
    ofAccount: async (account) => (await read(account)).starts,
    async change(account, next) {
      const changed = await retryConflicts(async () => {
        const { id, starts, guard } = await read(account);
        const document: Stored = { kind: "webhook_starts", account, starts: next(starts) };
        const answer = await client.index({ index, id, document, ...guard }, { ignore: [409] });
        return answer._seq_no;
      });
      if (changed === undefined) throw new WebhookError("Others begin at the start at this moment. Try again.");
    },
    withdraw: (account, webhook) =>
      store.change(account, (starts) => starts.filter(({ webhook_id }) => webhook_id !== webhook)),
  };
  return store;
}
