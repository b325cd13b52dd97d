import { shortened } from "@tranche/read-models/parameters/query-string";
import { RESOURCE_PATH } from "@tranche/shared/accounts/oauth-addresses";
import type { Context, Middleware } from "koa";
import { inTwoSteps } from "../admission/in-two-steps.ts";
import { createRefuse } from "../admission/refuse.ts";
import { createEndpoints } from "../endpoints/endpoints.ts";
import { ApiError } from "../errors/api-error.ts";
import type { ApiParts } from "../routes/parts.ts";
import { createServing } from "../routes/serving.ts";
import { bodyOf } from "./body.ts";
import { createCallTool } from "./call-tool.ts";
import { createDescribe } from "./describe.ts";
import { admitHere } from "./entry.ts";
import { escapedJson } from "./escaped.ts";
import { createExchange } from "./exchange.ts";
import { toolDefinitions } from "./definitions.ts";
import { messageOf } from "./message.ts";
import type { AllowsOrigin } from "./origin.ts";
import { createServer, withResult } from "./server.ts";
import { toolEndpoints } from "./tool-endpoints.ts";

export const MCP_PATH = RESOURCE_PATH;

/** `/mcp`: the tools of the API for assistants, by the Model Context Protocol. Each request stands alone. */
export function mcpRoute(parts: ApiParts, allowsOrigin: AllowsOrigin): Middleware {
  const admit = admitHere(parts, parts.oauth);
  const admission = inTwoSteps(admit);
  const refuse = createRefuse(admit);
  const endpoints = toolEndpoints(createEndpoints(parts.dealTypes));
  const caches = parts.caches && { ...parts.caches, front: undefined };
  const call = createCallTool({
    endpoints,
    serving: createServing(endpoints, { ...parts, admit: admission.charge, caches }),
    describe: createDescribe(endpoints, parts),
    publicUrl: (caller) => parts.publicUrl ?? listenedAddress(caller),
    recordError: parts.recordError,
    log: parts.log,
  });
  const definitions = toolDefinitions(endpoints);
  const exchange = createExchange(({ message }) => parts.log.debug({ reason: message }, "not served"));

  return async (ctx) => {
    ctx.state["isMcp"] = true;
    if (!allowsOrigin(ctx.req)) return refuse(ctx, foreign());
    if (ctx.method !== "POST") {
      ctx.set("Allow", "POST");
      return refuse(
        ctx,
        new ApiError("method_not_allowed", `${MCP_PATH} takes POST alone: every request is answered by itself.`),
      );
    }
    await admission.enter(ctx);
    const parsed = messageOf(await bodyOf(ctx.req));
    let result: string | undefined;
    const response = await exchange({ headers: ctx.req.headers, parsed }, () =>
      createServer(definitions, async (tool, given) => void (result = await call(ctx, tool, given))),
    );
    await send(ctx, response, result);
  };
}

type Refusal = { error: { code: number; message: string } };

/** In characters of JSON. */
const MAX_REFUSAL = 2000;

const foreign = () =>
  new ApiError(
    "forbidden",
    "Pages of this Origin may not send requests here. The operators of the service can allow it with TRANCHE_MCP_ORIGINS; programs send no Origin.",
  );

/** The address that the connection came to. Not the Host: anybody may send any. */
function listenedAddress({ req: { socket } }: Context): string {
  const address = (socket.localAddress ?? "127.0.0.1").replace(/^::ffff:/, "");
  return `http://${address.includes(":") ? `[${address}]` : address}:${socket.localPort}`;
}

async function send(ctx: Context, response: Response, result: string | undefined): Promise<void> {
  ctx.state["answeredAt"] = performance.now();
  ctx.status = response.status;
  for (const [name, value] of response.headers) ctx.set(name, value);
  ctx.set("Cache-Control", "no-store");
  const sent = await response.text();
  const text = response.status < 400 ? sent : shortRefusal(sent);
  // A reader of the raw JSON sees no hidden character either.
  const body = escapedJson(text);
  ctx.body = result === undefined ? body : withResult(body, result);
  // For the list of errors in the dashboard.
  if (response.status >= 400)
    ctx.state["error"] = new ApiError("invalid_request", (JSON.parse(text) as Refusal).error.message);
}

/** A refusal of the SDK. It may repeat what was sent, however long that is: then its message is shortened, and its data are left out. */
function shortRefusal(text: string): string {
  if (text.length <= MAX_REFUSAL) return text;
  const { error, ...others } = JSON.parse(text) as Refusal;
  return JSON.stringify({ ...others, error: { code: error.code, message: shortened(error.message) } });
}
