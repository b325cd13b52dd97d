import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import type { Logger } from "@tranche/shared/process/logger";
import { leftEarly } from "../errors/api-error.ts";
import type { ExportText } from "../present/export.ts";
import type { ExportSearch } from "../query/export.ts";
import type { OpenPointInTime, PointInTime } from "../search/point-in-time.ts";
import type { ExportOutcome, Metrics } from "../serve/metrics.ts";
import type { ExportLimits } from "./limits.ts";
import { type ExportPages, readPages } from "./pages.ts";

/** Why the service cut an export off. */
type Cut = Exclude<ExportOutcome, "finished" | "left">;

/** The account of an export, and its response. */
export type ExportOrigin = { account: string; route: string; requestId: string; response: ServerResponse };

/** One export under way. It ends with its response, however that ends. */
export type Export = {
  /** Reads the first page of an index as it is now. Throws an error reply. */
  read<Document>(index: string, search: ExportSearch, text: ExportText<Document>): Promise<ExportPages>;
  /** The number of rows sent so far. */
  rowsSent(): number;
  /**
   * Streams the bytes after `head` as fast as the reader takes them. At the end it calls `settle` with the rows sent, and whether the
   * service failed to send the rest. Throws an error reply when the reader has left.
   */
  stream(pages: ExportPages, head: string, settle: (sent: number, serviceFailed: boolean) => Promise<void>): Readable;
  /** Breaks the connection, so that nobody takes a short export for a whole one. */
  cut(why: Cut): void;
  /** Ends it before its response does: the response is an error. */
  end(): Promise<void>;
  /** Resolves when it has ended and nothing of it is left. */
  ended: Promise<void>;
};

export type ExportParts = {
  openPointInTime: OpenPointInTime;
  metrics: Pick<Metrics, "exportBegins">;
  log: Logger;
  limits: ExportLimits;
};

/** `free`: frees its slot. */
export function createExport(parts: ExportParts, origin: ExportOrigin, free: () => Promise<void>): Export {
  const { openPointInTime, metrics, log, limits } = parts;
  const { route, requestId, account, response } = origin;
  const stop = new AbortController();
  const timers = new Set<NodeJS.Timeout>();
  const sent = { rows: 0, bytes: 0 };
  let why: Cut | undefined;
  let pointInTime: PointInTime | undefined;
  /** Called once when a stream of rows ends. */
  let report: (outcome: ExportOutcome) => Promise<void> = async () => {};

  const finish = async () => {
    stop.abort();
    for (const timer of timers) clearTimeout(timer);
    const outcome = why ?? (response.writableFinished ? "finished" : "left");
    await Promise.allSettled([free(), pointInTime?.close(), report(outcome)]);
  };
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = () => {
    if (!stop.signal.aborted) void finish().then(resolve);
    return ended;
  };
  const cut = (reason: Cut) => {
    if (stop.signal.aborted) return;
    why ??= reason;
    // A reset, because a caller that speaks HTTP/1.0 takes a closed connection for the end of the response.
    if (response.socket) response.socket.resetAndDestroy();
    else response.destroy();
  };
  const cutAfter = (ms: number, reason: Cut) => {
    const timer = setTimeout(cut, ms, reason);
    timers.add(timer);
    return timer;
  };

  async function* textsOf({ count, pages }: ExportPages, head: string) {
    try {
      if (head !== "") yield head;
      for await (const page of pages) {
        const slow = cutAfter(limits.pageWithinMs, "slow");
        for (const { rows, text } of page) {
          yield text;
          sent.rows += rows;
          sent.bytes += Buffer.byteLength(text);
        }
        // After the last row the time runs on: the reader has not taken it yet.
        if (sent.rows === count) return;
        clearTimeout(slow);
        timers.delete(slow);
      }
    } catch (error) {
      if (!stop.signal.aborted) {
        log.error({ err: (error as Error).cause ?? error, requestId }, "an export failed");
        cut("failed");
      }
      throw error;
    }
  }

  response.once("close", () => void end());
  if (response.closed) void end();

  return {
    end,
    ended,
    cut,
    async read(index, search, text) {
      try {
        stop.signal.throwIfAborted();
        pointInTime = await openPointInTime(index, stop.signal);
        // It ended meanwhile, when there was nothing to close.
        if (stop.signal.aborted) void pointInTime.close();
        return await readPages(pointInTime, search, text, limits, stop.signal);
      } catch (error) {
        throw stop.signal.aborted ? leftEarly(error) : error;
      }
    },
    rowsSent: () => sent.rows,
    stream(pages, head, settle) {
      // The reader left before the stream began, so nothing would settle it.
      if (stop.signal.aborted) throw leftEarly(stop.signal.reason);
      const since = performance.now();
      const ends = metrics.exportBegins(route);
      report = async (outcome) => {
        ends(outcome, sent);
        const seconds = Math.round(performance.now() - since) / 1000;
        log.info({ requestId, account, route, outcome, ...sent, of: pages.count, seconds }, "an export ended");
        await settle(sent.rows, outcome === "failed" || outcome === "shutdown");
      };
      // The server would cut off a connection that is silent for half a minute.
      response.setTimeout(0);
      cutAfter(limits.exportWithinMs, "long");
      // Strings, not buffers: those would pile up outside of the heap until the next collection, 25 MiB in an export.
      return Readable.from(textsOf(pages, head));
    },
  };
}
