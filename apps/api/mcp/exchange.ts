import {
  createMcpHandler,
  isLegacyRequest,
  type McpRequestContext,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { IncomingHttpHeaders } from "node:http";

/** A request to `/mcp` whose body was read. `parsed`: the body as JSON; undefined when it is none. */
type McpRequest = { headers: IncomingHttpHeaders; parsed: unknown };

/** What the protocol reads, beside headers of its own name. */
const PASSED_ON: ReadonlySet<string> = new Set(["accept", "content-type", "last-event-id"]);
/** The protocol does not depend on it. */
const ADDRESS = "http://localhost/mcp";

/** Answers a request. `createServer`: makes the server that answers it, and nothing else. */
type Exchange = (request: McpRequest, createServer: () => Server) => Promise<Response>;

/**
 * Answers requests with a server for each alone. The SDK checks the headers and the version of the protocol. Requests of older versions are
 * answered in JSON, too. Subscriptions are refused, because nothing here changes while a connection lasts. `onerror` gets the reason when
 * the SDK refuses a request.
 */
export function createExchange(onerror: (error: Error) => void): Exchange {
  const servers = new WeakMap<Request, () => Server>();
  const serverFor = ({ requestInfo }: McpRequestContext) => servers.get(requestInfo!)!();
  const modern = createMcpHandler(serverFor, { legacy: "reject", maxSubscriptions: 0, onerror });
  return async (request, createServer) => {
    const headers = passedOn(request.headers);
    // Without the text: a second reader of it could find what the first did not, such as an array. Then the SDK says that it is no JSON.
    const web = new Request(ADDRESS, { method: "POST", headers });
    const parsed = request.parsed === undefined ? {} : { parsedBody: request.parsed };
    if (!(await isLegacyRequest(web, request.parsed))) {
      servers.set(web, createServer);
      return modern.fetch(web, parsed);
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
  };
}

function passedOn(headers: IncomingHttpHeaders): Headers {
  const kept = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && (PASSED_ON.has(name) || name.startsWith("mcp-"))) kept.set(name, String(value));
  }
  return kept;
}
