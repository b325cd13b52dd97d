import { HttpError } from "@tranche/http/errors/http-error";
import type { Arguments } from "@tranche/read-models/parameters/arguments";
import type { Problem } from "@tranche/read-models/parameters/problem";
import type { Logger } from "@tranche/shared/process/logger";
import type { Context } from "koa";
import { LRUCache } from "lru-cache";
import { costOf, recordWork } from "../admission/charge.ts";
import type { ErrorLog } from "../admission/error-log.ts";
import { settlePart } from "../admission/settle.ts";
import { type ApiError, internalError, invalidParameters } from "../errors/api-error.ts";
import { createRequestCache } from "../cache/request-cache.ts";
import type { Answer } from "../present/answer.ts";
import type { Served } from "../routes/serving.ts";
import type { Serve } from "../serve/call.ts";
import { type Asked, keyOfArguments, readArguments } from "./asked.ts";
import type { Describe } from "./describe.ts";
import { errorResult } from "./errors.ts";
import { type Body, MAX_BYTES, type Presented, presentResult, rowsIn } from "./result.ts";
import { ToolCall } from "./tool-call.ts";
import type { ToolEndpoints } from "./tool-endpoints.ts";
import { type Target, type Tool, TOOLS } from "./tools.ts";

/** Calls a tool for the caller of a request that has entered. The result is JSON. It never rejects: a refusal is a result. */
type CallTool = (caller: Context, tool: string, given: Arguments) => Promise<string>;

/** An answer as it was presented, with the number of its rows. `key`: all that the presentation depends on beside the answer. */
type Made = Presented & { rows: number; key: string };

/** Memory for all results that are cached, with the answers that they are of. */
const MADE_BYTES = 32 * 1024 * 1024;
/** A text with one character beyond Latin-1 takes so many bytes for each. */
const BYTES_OF_CHARACTER = 2;
/** Rows differ in size, so a smaller page is asked for with room to spare. */
const SPARE = 0.95;

/** `serving`: the endpoints, which charge in the second of two steps. `publicUrl`: of the service, as its caller reaches it. */
export function createCallTool(parts: {
  endpoints: ToolEndpoints;
  serving: Readonly<Record<Served, Serve>>;
  describe: Describe;
  publicUrl: (caller: Context) => string;
  recordError: ErrorLog["record"];
  log: Logger;
}): CallTool {
  const { endpoints, serving, describe, publicUrl, recordError, log } = parts;
  /** Results of answers that the cache of pages gives again. */
  const made = new LRUCache<Answer, Made>({
    maxSize: MADE_BYTES,
    sizeCalculation: ({ result }, { body }) => BYTES_OF_CHARACTER * result.length + body.length,
  });
  /** Arguments that came again while their answer was cached. They mean the same for every caller. */
  const repeated = createRequestCache<Asked>();

  /** `wanted`: the rows of the whole page, if this one, with its `limit`, is a part of it. */
  const present = (
    answer: Answer,
    caller: Context,
    asked: Asked,
    { limit, wanted }: { limit: number | undefined; wanted: number | undefined },
  ): Made => {
    const [base, cost] = [publicUrl(caller), costOf(caller)];
    const key = `${base} ${cost} ${wanted}`;
    const known = made.get(answer);
    if (known?.key === key) return known;
    const body = bodyOf(answer, asked.target);
    const rows = rowsIn(body);
    const about = {
      rows: asked.target.rows,
      cost,
      url: base + asked.url(body.pagination?.limit ?? limit),
      leftOut: wanted === undefined ? 0 : wanted - rows,
    };
    const fresh = { ...presentResult(body, about), rows, key };
    made.set(answer, fresh);
    return fresh;
  };

  /** Asks an endpoint, and for fewer rows as long as the result is too large. */
  const ask = async (caller: Context, tool: Tool, given: Arguments): Promise<string> => {
    const sent = keyOfArguments(tool, given);
    const asked = (sent !== undefined && repeated.get(sent)) || readArguments(tool, endpoints, given);
    const serve = serving[asked.target.endpoint];
    let { limit } = asked.values;
    let wanted: number | undefined;
    for (;;) {
      const answer = await serve(new ToolCall(caller, asked.url(limit)));
      if (sent !== undefined && made.has(answer)) repeated.set(sent, asked);
      const { result, rows, bytes } = present(answer, caller, asked, { limit, wanted });
      if (bytes <= MAX_BYTES) return result;
      wanted ??= rows;
      limit = Math.floor(Math.min(limit ?? rows, rows) * (MAX_BYTES / bytes) * SPARE);
      if (limit > 0) continue;
      recordWork(caller);
      throw tooLarge(bytes, publicUrl(caller) + asked.url());
    }
  };

  /** A refusal as a result: logged if it is ours, listed for the members of the account, and given back unless it costs. */
  const refused = async (caller: Context, name: string, error: unknown): Promise<string> => {
    const refusal = error instanceof HttpError ? (error as HttpError<string, Problem>) : internalError(error);
    const { code, status } = refusal;
    const requestId = String(caller.state["requestId"]);
    if (status >= 500)
      log[status === 503 ? "warn" : "error"](
        { err: refusal.cause ?? refusal, requestId, code, tool: name },
        "a tool failed",
      );
    recordError({ method: "POST", url: `/mcp ${name}`, status, state: { ...caller.state, error: refusal } });
    await settlePart(caller, status);
    return errorResult(refusal, costOf(caller));
  };

  return async (caller, name, given) => {
    const tool = TOOLS[name]!;
    try {
      return tool.targets.length === 0
        ? await describe(caller, given, publicUrl(caller))
        : await ask(caller, tool, given);
    } catch (error) {
      return refused(caller, name, error);
    }
  };
}

/** Rows of the lists have `source_url` when it is asked for; those of other endpoints never. */
function bodyOf({ body }: Answer, { columns }: Target): Body {
  const without = (name: string, value: unknown) => (name === "source_url" ? undefined : value);
  return JSON.parse(body.toString(), columns === undefined ? without : undefined) as Body;
}

/** The refusal of a result whose first row alone is too large. */
function tooLarge(bytes: number, url: string): ApiError {
  const message = `One row alone has ${bytes} bytes here, and a result has at most ${MAX_BYTES}. Ask for fewer members with 'fields', or over HTTP: ${url}`;
  return invalidParameters([{ parameter: "fields", code: "out_of_range", message }]);
}
