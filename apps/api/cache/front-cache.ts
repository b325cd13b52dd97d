import type { IncomingMessage, ServerResponse } from "node:http";
import type Koa from "koa";
import type { Context, Middleware } from "koa";
import type { CallerRequest } from "../admission/charge.ts";
import type { Settle } from "../admission/settle.ts";
import type { Answer, Refusal } from "../present/answer.ts";
import type { AdmittedRequest } from "../serve/list-steps.ts";
import type { Observe, Observed } from "../serve/observe.ts";
import { requestFault } from "@tranche/http/server/request-fault";
import { requestIdOf } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { createRequestCache } from "./request-cache.ts";

/** A request that is byte for byte equal to one answered before, and how its route admits it again and finds its page. */
export type RepeatedRequest = {
  /** As metrics name it. */
  route: string;
  /** Throws the refusal if the caller is not admitted. */
  admit(caller: CallerRequest): Promise<AdmittedRequest>;
  /** The page, if it is cached and valid. */
  cachedPage(admitted: AdmittedRequest): CachedPage | undefined;
};

/** An answer in the page cache, and the responses that were sent with it. A refusal has no stored responses. */
export type CachedPage = { answer: Answer | Refusal; responses: Map<RepeatedRequest, SentResponse> };
/** A response as it was sent: the body, and name and value in turn of all headers that are not of a single request. */
type SentResponse = { headers: readonly string[]; body: Buffer };

/** How many responses are kept with an answer, and how much their headers take at most. */
const MAX_RESPONSES = 4;
const RESPONSES_BYTES = 4096;

/** The memory of a page. Compressed bodies are added later; together they are smaller than the body. */
export const pageBytes = ({ answer }: CachedPage): number =>
  ("refused" in answer ? 0 : 2 * answer.body.length) + RESPONSES_BYTES;

/** Headers of a single request: its id, its caller's limits, its time. */
const OF_ONE_REQUEST = /^(?:date|x-request-id|(?:x-)?ratelimit(?:-.*)?)$/i;

export type FrontCache = {
  /** The listener in front of an app. */
  inFrontOf(app: Koa): Listener;
  /** The app's outermost middleware, which stores its responses. */
  storeResponses: Middleware;
  /** The admission that was begun in front of the app. */
  admission(req: IncomingMessage): Promise<AdmittedRequest> | undefined;
  /** Says which page a request was answered with. `repeated` is undefined for a page that was computed for this request. */
  noteAnswered(req: IncomingMessage, page: CachedPage, repeated?: () => RepeatedRequest): void;
};

/**
 * Answers repeated requests before Koa creates a context for them, with the very response that the app sent before. The caller is
 * admitted as always, and the generation is read as always. Everything else (a refusal, a page that is not cached) goes through the
 * app, which continues with the admission that was begun here.
 */
export function createFrontCache(settle: Settle, observe: Observe, count: () => void): FrontCache {
  const known = createRequestCache<RepeatedRequest>();
  /** Requests that the app has to answer although their admission was begun here. */
  const earlyRequests = new WeakMap<IncomingMessage, EarlyRequest>();
  const answered = new WeakMap<IncomingMessage, { page: CachedPage; repeated?: (() => RepeatedRequest) | undefined }>();

  async function answerFromCache(request: RepeatedRequest, earlyRequest: EarlyRequest, toApp: Listener): Promise<void> {
    const { req, res, state } = earlyRequest;
    earlyRequest.admission = request.admit(earlyRequest);
    let response: SentResponse | undefined;
    try {
      response = request.cachedPage(await earlyRequest.admission)?.responses.get(request);
    } catch {
      // The app awaits the same admission, and charges as much: it reports the refusal.
    }
    if (!response) {
      earlyRequests.set(req, earlyRequest);
      return toApp(req, res);
    }
    const requestId = requestIdOf(req);
    const limits = await settle(earlyRequest, 200);
    res.writeHead(200, [...response.headers, "X-Request-Id", requestId, ...limits]);
    res.end(response.body);
    count();
    const { ip: address } = earlyRequest;
    observe({ route: request.route, method: "GET", url: req.url!, status: 200, requestId, address, state });
  }

  return {
    inFrontOf(app) {
      const toApp = app.callback() as Listener;
      return (req, res) => {
        const key = keyOf(req);
        const request = key === undefined ? undefined : known.get(key);
        return !request || requestFault(req)
          ? toApp(req, res)
          : answerFromCache(request, new EarlyRequest(app, req, res), toApp);
      };
    },
    async storeResponses(ctx, next) {
      ctx.state = earlyRequests.get(ctx.req)?.state ?? ctx.state;
      await next();
      const answer = answered.get(ctx.req);
      if (!answer || ctx.status !== 200 || !Buffer.isBuffer(ctx.body)) return;
      const key = keyOf(ctx.req);
      if (key === undefined) return;
      // Equal requests that were answered at the same time share one entry.
      const request = known.get(key) ?? answer.repeated?.();
      // A response whose request cannot be found again would only evict others.
      if (request && known.set(key, request)) {
        keepResponse(answer.page.responses, request, { headers: headersOf(ctx), body: ctx.body });
      }
    },
    admission: (req) => earlyRequests.get(req)?.admission,
    noteAnswered(req, page, repeated) {
      // Most requests are never repeated: the less is noted of them, the better.
      if (repeated || earlyRequests.has(req)) answered.set(req, { page, repeated });
    },
  };
}

/** A request before the app has a context for it. Its state becomes the context's when the app has to answer. */
class EarlyRequest implements CallerRequest {
  readonly state: CallerRequest["state"] & Observed["state"] = { since: performance.now() };
  readonly app: Koa;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  admission: Promise<AdmittedRequest> | undefined;

  constructor(app: Koa, req: IncomingMessage, res: ServerResponse) {
    this.app = app;
    this.req = req;
    this.res = res;
  }

  get ip(): string {
    return ipOf(this.req, this.app);
  }
}

/** The IP address that a context of the app would have: the one before our own proxies. */
function ipOf({ headers, socket }: IncomingMessage, { proxy, maxIpsCount }: Koa): string {
  const forwarded = proxy ? headers["x-forwarded-for"] : undefined;
  const own = socket.remoteAddress ?? "";
  return typeof forwarded === "string" ? forwarded.split(",").slice(-maxIpsCount)[0]!.trim() || own : own;
}

/** All that the response depends on beside the plan and the documents; undefined when the app has to answer. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  if (method !== "GET" || headers["if-none-match"] !== undefined) return undefined;
  // None of them can contain a line end or a NUL.
  const { accept = "\0", "accept-encoding": encodings = "\0", prefer = "\0", origin = "\0" } = headers;
  return `${url}\n${accept}\n${encodings}\n${String(prefer)}\n${origin}`;
}

function headersOf({ res }: Context): string[] {
  // Names spelled as they are sent; Node's types lack this method.
  const names = (res as typeof res & { getRawHeaderNames(): string[] }).getRawHeaderNames();
  return names.filter((name) => !OF_ONE_REQUEST.test(name)).flatMap((name) => [name, String(res.getHeader(name))]);
}

/** Drops the oldest response when there are too many. */
function keepResponse(responses: CachedPage["responses"], request: RepeatedRequest, response: SentResponse): void {
  if (responses.size >= MAX_RESPONSES && !responses.has(request)) responses.delete(responses.keys().next().value!);
  responses.set(request, response);
}
