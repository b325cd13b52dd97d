import { Router } from "@koa/router";
import type { Installation } from "@tranche/operations/installation/installation";
import { createIngestTokenStore, type IngestToken } from "@tranche/shared/accounts/ingest-token-store";
import { createMappingStore } from "@tranche/shared/accounts/mapping-store";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { searchFailureKind, isEngineError } from "@tranche/shared/engines/search/client";
import type { Logger } from "@tranche/shared/process/logger";
import { TooLate, withTimeLimit } from "@tranche/shared/process/time-limit";
import { publicPath } from "@tranche/shared/process/public-path";
import { createIngestRuns } from "@tranche/shared/protocol/runs/ingest-runs";
import type { Context, Middleware } from "koa";
import { createClaims } from "./claims.ts";
import { IngestError } from "./errors.ts";
import { runView } from "./run-view.ts";
import { type Sender, upload } from "./upload.ts";

/** The path of uploads. */
const INGEST_PATH = "/ingest";
export const isIngestPath = (path: string): boolean => path === INGEST_PATH || path.startsWith(`${INGEST_PATH}/`);

/** Each one holds some MB. */
const MAX_UPLOADS = 50;
const SHOWN = 100;
/** Runs are read without a limit of time, which would keep a page waiting while Elasticsearch is away. */
const READ_WITHIN_MS = 5000;
/** When to come again after an engine was away, or too many were sending. */
const COME_AGAIN_S = 5;
/** Uploads that end with the process put what they have read into the queue within this time. */
const CLOSE_WITHIN_MS = 8000;

export type Intake = {
  /** The stored token of a bearer token; undefined when it does not work. */
  tokenOf: (bearer: string) => Promise<IngestToken | undefined>;
  /** `POST /ingest`, `GET /ingest`, `GET /ingest/{run}`. `ctx.state.ingestToken` is the sender's token; without one it is an operator. */
  routes: () => Middleware;
  /** Ends uploads under way. */
  close: () => Promise<void>;
};

/** Data in over HTTP, for whichever process has the operators' port. */
export function createIntake(parts: { installation: Installation; dealTypes: DealTypes; log: Logger }): Intake {
  const { installation } = parts;
  const { client, names } = installation;
  const tokens = createIngestTokenStore(client, names.accounts);
  const mappings = createMappingStore(client, names.accounts);
  const runs = createIngestRuns(client, names);
  const claims = createClaims(client, names);
  const closing = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  const uploadParts = {
    ...parts,
    tokens,
    mappings,
    claims,
    publicPath: publicPath(installation.settings),
    closing: closing.signal,
  };

  const router = new Router({ prefix: INGEST_PATH });
  router.use(engineErrors());
  router.post("/", async (ctx) => {
    const sender = senderOf(ctx);
    if (underWay.size >= MAX_UPLOADS) {
      throw new IngestError("too_many_requests", `${MAX_UPLOADS} uploads are under way. Come again.`, {
        retryAfter: COME_AGAIN_S,
      });
    }
    const done = upload(uploadParts, {
      request: ctx.req,
      query: new URLSearchParams(ctx.querystring),
      sender,
      requestId: String(ctx.state["requestId"]),
    });
    const settled = done.catch(() => {});
    underWay.add(settled);
    void settled.then(() => underWay.delete(settled));
    if (sender.token) void tokens.used(sender.token).catch(() => {});
    const { status, document } = await done;
    ctx.status = status;
    ctx.type = "application/json; charset=utf-8";
    ctx.body = document;
  });

  router.get("/", async (ctx) => {
    const found = await withTimeLimit(runs.newest(SHOWN, ownOnly(ctx)), READ_WITHIN_MS);
    ctx.body = { data: found.map((run) => runView(run)) };
  });

  router.get("/:run", async (ctx) => {
    const found = await withTimeLimit(runs.find(ctx.params["run"]!), READ_WITHIN_MS);
    const by = ownOnly(ctx);
    if (!found || (by !== undefined && found.by !== by)) throw new IngestError("not_found", "There is no such run.");
    ctx.body = runView(found);
  });

  return {
    tokenOf: (bearer) => tokens.working(bearer),
    routes: () => router.routes() as Middleware,
    async close() {
      closing.abort(new Error("the process ended"));
      await withTimeLimit(Promise.all(underWay), CLOSE_WITHIN_MS).catch(() => {});
    },
  };
}

function senderOf(ctx: Context): Sender {
  const token = ctx.state["ingestToken"] as IngestToken | undefined;
  const name = token ? `ingest-token:${token.key_id}` : `operators:${ctx.ip.replace(/^::ffff:/, "")}`;
  return { name, token };
}

/** A token sees its own runs; an operator all. */
const ownOnly = (ctx: Context): string | undefined => {
  const { name, token } = senderOf(ctx);
  return token && name;
};

/** An engine that is away is no error of this process. */
function engineErrors(): Middleware {
  return async (_ctx, next) => {
    try {
      await next();
    } catch (error) {
      const isAway =
        error instanceof TooLate ||
        (error instanceof Error && isEngineError(error) && searchFailureKind(error) !== "refused");
      if (!isAway) throw error;
      throw new IngestError("unavailable", "Elasticsearch did not answer. Send it again.", {
        retryAfter: COME_AGAIN_S,
        cause: error,
      });
    }
  };
}
