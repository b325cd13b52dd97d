import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";

/** The least cost of a server of the official SDK: one tool that does nothing, and a server for each request. Argument: its port. */
const handler = createMcpHandler(
  () => {
    const server = new McpServer({ name: "empty", version: "1.0.0" });
    server.registerTool("empty", {}, () => ({ content: [] }));
    return server;
  },
  { legacy: "reject" },
);

const server = createServer((request, response) => {
  void (async () => {
    const body = await text(request);
    const headers = new Headers(request.headers as Record<string, string>);
    const init = request.method === "POST" ? { method: "POST", headers, body } : { headers };
    const answer = await handler.fetch(new Request("http://localhost/mcp", init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(await answer.text());
  })();
});
server.listen(Number(process.argv[2]), "127.0.0.1");

const end = () => process.exit(0);
process.on("SIGTERM", end);
process.on("disconnect", end);
