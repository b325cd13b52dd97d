import type { IncomingMessage, ServerResponse } from "node:http";
import type Koa from "koa";
import type { Context, Middleware } from "koa";
import type { Asking } from "../admission/charge.ts";
import type { Settle } from "../admission/settle.ts";
import type { Observe } from "../serve/observe.ts";
import { requestIdOf } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { requestFault } from "@tranche/http/server/request-fault";
import { createKnownRequests } from "./known-requests.ts";
import { type Answer, type Asked, type Begun, MAX_REPLAYS, type Replay } from "./answer.ts";

/** Of a single request: its id, its caller's limits, its time. */
const OF_ONE_REQUEST = /^(?:date|x-request-id|(?:x-)?ratelimit(?:-.*)?)$/i;

/** What stands in front of an app, and its first middleware. */
export type Replays = {
  inFrontOf(app: Koa): Listener;
  /** Goes on with what was begun in front of the app, and learns from its answer. */
  learning: Middleware;
};

/**
 * Sends an answer again as it went out before, when the same is asked by whomever, letter for letter. Who asks is admitted as
 * always, and what is there to be seen is asked as always; whatever is not plain (a refusal, an answer that is still to be made)
 * goes the way of all requests through the app, which goes on with what was begun here. What that way made of an answer is
 * learned from it: the two can't differ.
 */
export function createReplays(settle: Settle, observe: Observe): Replays {
  const remembered = createKnownRequests<Asked>();
  /** What was begun of requests that the app has to answer after all. */
  const visits = new WeakMap<IncomingMessage, Visit>();

  async function sendAgain(asked: Asked, visit: Visit, toApp: Listener): Promise<void> {
    const { req, res, state } = visit;
    state.begun = asked.begin(visit);
    let replay: Replay | undefined;
    try {
      replay = asked.finished(await state.begun)?.replays.get(asked);
    } catch {
      // Told by the way of all requests.
    }
    if (!replay) {
      visits.set(req, visit);
      return toApp(req, res);
    }
    const requestId = requestIdOf(req);
    const limits = await settle(visit, 200);
    res.writeHead(200, [...replay.headers, "X-Request-Id", requestId, ...limits]);
    res.end(replay.body);
    const { since, account } = state;
    observe({ since, route: asked.route, method: "GET", url: req.url!, status: 200, requestId, account });
  }

  return {
    inFrontOf(app) {
      const toApp = app.callback() as Listener;
      return (req, res) => {
        const key = keyOf(req);
        const asked = key === undefined ? undefined : remembered.get(key);
        return !asked || requestFault(req) ? toApp(req, res) : sendAgain(asked, new Visit(app, req, res), toApp);
      };
    },
    async learning(ctx, next) {
      ctx.state = visits.get(ctx.req)?.state ?? ctx.state;
      await next();
      const answered = ctx.state.answered as Answered | undefined;
      if (!answered || ctx.status !== 200 || !Buffer.isBuffer(ctx.body)) return;
      const key = keyOf(ctx.req);
      if (key === undefined) return;
      // Equal requests that were under way together share what was learned first.
      const known = remembered.get(key);
      if (!known && !answered.again) return;
      const learned = known ?? answered.asked;
      // One that can't be found again would only take the place of others.
      if (!remembered.set(key, learned)) return;
      keep(answered.answer.replays, learned, { headers: headersOf(ctx), body: ctx.body });
    },
  };
}

/** A request before the app makes a context of it. Its state becomes the context's when the app has to answer. */
class Visit implements Asking {
  readonly state: Asking["state"] & { since: number; begun?: Promise<Begun> } = { since: performance.now() };
  readonly app: Koa;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;

  constructor(app: Koa, req: IncomingMessage, res: ServerResponse) {
    this.app = app;
    this.req = req;
    this.res = res;
  }

  /** As the app sees it, which knows of our own proxies. */
  get ip(): string {
    return this.app.createContext(this.req, this.res).ip;
  }
}

/** `again`: the answer was there already. */
type Answered = { asked: Asked; answer: Answer; again: boolean };

/** Leaves an answer of the present generation with the request, to be sent again. */
export function noteAnswered(ctx: Context, answered: Answered): void {
  ctx.state.answered = answered;
}

/** What was begun of a request before it came to its list. */
export const begunOf = (ctx: Context): Promise<Begun> | undefined => ctx.state.begun as Promise<Begun> | undefined;

/** All of a request that its answer may depend on beside its caller's plan; undefined when it has to go the way of all. */
function keyOf({ method, url = "", headers }: IncomingMessage): string | undefined {
  if (method !== "GET" || headers["if-none-match"] !== undefined) return undefined;
  // None of them can have a line end or a NUL in it.
  const { accept = "\0", "accept-encoding": encodings = "\0", prefer = "\0", origin = "\0" } = headers;
  return `${url}\n${accept}\n${encodings}\n${String(prefer)}\n${origin}`;
}

function headersOf({ res }: Context): string[] {
  // Spelled as they are sent; Node's types lack it.
  const names = (res as typeof res & { getRawHeaderNames(): string[] }).getRawHeaderNames();
  return names.filter((name) => !OF_ONE_REQUEST.test(name)).flatMap((name) => [name, String(res.getHeader(name))]);
}

/** The oldest goes when there are too many. */
function keep(replays: Map<Asked, Replay>, asked: Asked, replay: Replay): void {
  if (replays.size >= MAX_REPLAYS && !replays.has(asked)) replays.delete(replays.keys().next().value!);
  replays.set(asked, replay);
}
