import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { IncomingHttpHeaders } from "node:http";

/** A request to `/mcp` whose body was read. `parsed`: the body as JSON; undefined when it is none. */
type McpRequest = { headers: IncomingHttpHeaders; body: string; parsed: unknown };

/** Checked before, and no business of the protocol. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set(["authorization", "cookie", "host", "origin", "content-length"]);
/** The protocol does not depend on it. */
const ADDRESS = "http://localhost/mcp";

/**
 * Answers a request with a server that is made for it alone. The SDK checks the headers and the version of the protocol. Requests of
 * older versions are answered in JSON, too. Subscriptions are refused, because nothing here changes while a connection lasts. `onerror` gets
 * the reason when the SDK refuses a request.
 */
export async function exchange(
  request: McpRequest,
  createServer: () => Server,
  onerror: (error: Error) => void,
): Promise<Response> {
  const web = new Request(ADDRESS, { method: "POST", headers: passedOn(request.headers), body: request.body });
  const parsed = request.parsed === undefined ? {} : { parsedBody: request.parsed };
  if (!(await isLegacyRequest(web, request.parsed))) {
    return createMcpHandler(createServer, { legacy: "reject", maxSubscriptions: 0, onerror }).fetch(web, parsed);
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const server = createServer();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- A server of the SDK has no events.
  server.onerror = onerror;
  await server.connect(transport);
  try {
    return await transport.handleRequest(web, parsed);
  } finally {
    await server.close();
  }
}

function passedOn(headers: IncomingHttpHeaders): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !NOT_PASSED_ON.has(name)) kept.set(name, String(value));
  }
  return kept;
}
