import type { Exchange } from "../load/exchange.ts";

/** Calls of tools by the newest revision of the Model Context Protocol. */

const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** The headers of every call of a tool. */
export const toolHeaders = (tool: string): Record<string, string> => ({
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": REVISION,
  "mcp-method": "tools/call",
  "mcp-name": tool,
});

/** A call of a tool with the parameters of a query string as its arguments. */
export function toolCall(tool: string, query: string): Exchange {
  const given = Object.fromEntries([...new URLSearchParams(query)].map(([name, value]) => [name, valueOf(value)]));
  const params = { name: tool, arguments: given, _meta: META };
  return {
    method: "POST",
    path: "/mcp",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  };
}

const valueOf = (text: string): string | string[] => (text.includes(",") ? text.split(",") : text);
