import type { Client } from "@elastic/elasticsearch";
import { atHorizon, type FeedPosition } from "@tranche/read-models/feed/position";
import type { FeedState } from "@tranche/shared/protocol/feed/state";
import type { Guard } from "@tranche/shared/engines/search/held-document";
import { retryConflicts } from "@tranche/shared/engines/search/retry-conflicts";
import { WebhookError } from "./webhook.ts";

/**
 * Where a webhook stands: changes after this position are still to be delivered. `known` is stored before each attempt, because a receiver
 * may take what it does not acknowledge. `start`: not begun yet. `now`: not begun yet, and the feed was closed when it was asked for.
 */
export type From = FeedPosition | "now" | "start";

/** The position of a webhook that begins now. `state`: of the feed; undefined while it is closed. */
export const fromNow = (state: FeedState | undefined): From => (state ? atHorizon(state.epoch, state.horizon) : "now");

/** How far a webhook is. Deliverers change it after each attempt. Times are ISO. */
export type Progress = {
  kind: "progress";
  webhook: string;
  account: string;
  from: From;
  /** Attempts since the last success. */
  failures: number;
  failing_since: string | null;
  /** Nothing is sent before this time. */
  next_attempt_at: string | null;
  last_success_at: string | null;
  /** When the position was last stored. */
  at: string;
};

/** Progress without failures: the next attempt may be made at once. */
export const NO_FAILURES: Partial<Progress> = { failures: 0, failing_since: null, next_attempt_at: null };

/** A reading of progress, and the guard for the next write: a write after an older reading is refused. */
export type ReadProgress = { progress: Progress; guard: Guard };

const progressDocumentId = (webhook: string): string => `progress:${webhook}`;

export type ProgressStore = {
  /** Reads the newest state; undefined when the webhook was deleted. */
  read(webhook: string): Promise<ReadProgress | undefined>;
  /** Begins at a place, without failures. */
  begin(of: Pick<Progress, "webhook" | "account">, from: From): Promise<void>;
  /** Reads and writes, again a few times when somebody else was faster; undefined when the webhook was deleted. */
  change(webhook: string, next: Partial<Progress>): Promise<ReadProgress | undefined>;
  /** Writes over what was read; undefined when somebody else was faster: nothing is written then. */
  write(read: ReadProgress, next: Partial<Progress>): Promise<ReadProgress | undefined>;
};

/** Kept in the index of deliveries. `now`: real time in ms. */
export function createProgressStore(client: Client, index: string, now: () => number = Date.now): ProgressStore {
  const at = () => new Date(now()).toISOString();
  const store: ProgressStore = {
    async read(webhook) {
      const found = await client.get<Progress>({ index, id: progressDocumentId(webhook) }, { ignore: [404] });
      if (!found.found) return undefined;
      return { progress: found._source!, guard: { if_seq_no: found._seq_no!, if_primary_term: found._primary_term! } };
    },
    async begin({ webhook, account }, from) {
      const document: Progress = {
        kind: "progress",
        webhook,
        account,
        from,
        failures: 0,
        failing_since: null,
        next_attempt_at: null,
        last_success_at: null,
        at: at(),
      };
      await client.index({ index, id: progressDocumentId(webhook), document });
    },
    async change(webhook, next) {
      const written = await retryConflicts(async () => {
        const read = await store.read(webhook);
        return read ? store.write(read, next) : "deleted";
      });
      if (!written) throw new WebhookError("The webhook is being delivered to at this moment. Try again.");
      return written === "deleted" ? undefined : written;
    },
    async write({ progress, guard }, next) {
      const document = { ...progress, ...next, at: at() };
      const id = progressDocumentId(progress.webhook);
      const answer = await client.index({ index, id, document, ...guard }, { ignore: [409] });
      if (answer._seq_no === undefined) return undefined;
      return {
        progress: document,
        guard: { if_seq_no: answer._seq_no, if_primary_term: answer._primary_term! },
      };
    },
  };
  return store;
}
