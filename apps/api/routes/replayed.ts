import type { Plan } from "@tranche/shared/accounts/plans";
import type { Context, Middleware } from "koa";
import type { Settle } from "../admission/settle.ts";
import { sizeFault } from "../serve/size-limits.ts";
import { createKnownRequests } from "./known-requests.ts";
import { type Answer, MAX_REPLAYS } from "./respond.ts";

/** A request that was answered before, letter for letter: how its list goes about it. */
export type Asked = {
  /** As metrics name it. */
  route: string;
  /** Lets it in, and finds out what is there to be seen. Throws what refuses it. */
  begin(ctx: Context): Promise<Begun>;
  /** The answer, if it is made already. */
  finished(begun: Begun): Answer | undefined;
};
export type Begun = { plan: Plan; generation: string | undefined };

/** An answer as it went out: bytes, and name and value in turn of all headers that are not those of a single request. */
export type Replay = { headers: readonly string[]; body: Buffer };

/** Of a single request: its id, its caller's limits, its time. */
const OF_ONE_REQUEST = /^(?:date|x-request-id|(?:x-)?ratelimit(?:-.*)?)$/i;

/**
 * Sends an answer again as it went out before, when the same is asked by whomever, letter for letter. Who asks is admitted as
 * always, and what is there to be seen is asked as always; whatever is not plain (a refusal, an answer that is still to be made)
 * goes the way of all requests, which goes on with what was begun here. What that way made of an answer is learned from it: the
 * two can't differ.
 */
export function replayed(settle: Settle): Middleware {
  const remembered = createKnownRequests<Asked>();

  return async (ctx: Context, next) => {
    const key = keyOf(ctx);
    const asked = key === undefined ? undefined : remembered.get(key);
    if (asked && (await sentAgain(ctx, asked, settle))) return;
    await next();
    const answered = ctx.state.answered as Answered | undefined;
    if (key === undefined || !answered) return;
    if (ctx.status !== 200 || !Buffer.isBuffer(ctx.body)) return;
    // Equal requests that were under way together share what was learned first.
    const learned = asked ?? remembered.get(key) ?? answered.asked;
    // One that can't be found again would only take the place of others.
    if (!remembered.set(key, learned)) return;
    keep(answered.answer.replays, learned, { headers: headersOf(ctx), body: ctx.body });
  };
}

type Answered = { asked: Asked; answer: Answer };

/** Leaves an answer of the present generation with the request, to be sent again. */
export function noteAnswered(ctx: Context, answered: Answered): void {
  ctx.state.answered = answered;
}

/** What was begun of a request before it came to its list. */
export const begunOf = (ctx: Context): Promise<Begun> | undefined => ctx.state.begun as Promise<Begun> | undefined;

/** All of a request that its answer may depend on beside its caller's plan; undefined when it has to go the way of all. */
function keyOf({ req }: Context): string | undefined {
  const { method, url = "", headers } = req;
  if (method !== "GET" || headers["if-none-match"] !== undefined) return undefined;
  // None of them can have a line end or a NUL in it.
  const { accept = "\0", "accept-encoding": encodings = "\0", prefer = "\0", origin = "\0" } = headers;
  return `${url}\n${accept}\n${encodings}\n${String(prefer)}\n${origin}`;
}

async function sentAgain(ctx: Context, asked: Asked, settle: Settle): Promise<boolean> {
  if (sizeFault(ctx.req)) return false;
  const begun = asked.begin(ctx);
  ctx.state.begun = begun;
  let replay: Replay | undefined;
  try {
    replay = asked.finished(await begun)?.replays.get(asked);
  } catch {
    // Told by the way of all requests.
  }
  if (!replay) return false;
  const { res } = ctx;
  const headers = [...replay.headers, "X-Request-Id", ctx.state.requestId as string];
  for (const [name, value] of Object.entries(await settle(ctx, 200))) headers.push(name, value);
  ctx._matchedRoute = asked.route;
  ctx.respond = false;
  res.writeHead(200, headers);
  res.end(replay.body);
  return true;
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
