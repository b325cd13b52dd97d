import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { receiverAgent } from "@tranche/webhooks/receiver-agent";
import { afterAll, expect, test } from "vitest";
import { UnusableClient } from "./client.ts";
import { clientOf, createReadClientDocument } from "./client-document.ts";

const servers: Server[] = [];
const agents = [
  receiverAgent("any"),
  receiverAgent("public", async () => [{ address: "127.0.0.1", family: 4 }]),
] as const;
afterAll(async () => {
  for (const agent of agents) await agent.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
const own = ["https://api.tranche.example", "https://app.tranche.example/dashboard"];
const failures: string[] = [];
const read = createReadClientDocument(agents[0], { targets: "any", own }, (clientId) => failures.push(clientId));
const readPublic = createReadClientDocument(agents[1], { targets: "public", own }, (clientId) =>
  failures.push(clientId),
);

let asked = 0;
async function application(listener: RequestListener): Promise<string> {
  const server = createServer((request, response) => {
    asked++;
    listener(request, response);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/client.json`;
}
const about = (clientId: string, other: object = {}) =>
  JSON.stringify({ client_id: clientId, client_name: "A", redirect_uris: ["https://a.example/back"], ...other });
const json = { "Content-Type": "application/json" };

test("a document is read once for many who ask, and kept", async () => {
  const clientId: string = await application((_, response) => void response.writeHead(200, json).end(about(clientId)));
  const before = asked;
  const all = await Promise.all([read(clientId), read(clientId)]);
  expect(await read(clientId)).toEqual(all[0]);
  expect(all[0]).toEqual({
    id: clientId,
    name: "A",
    host: new URL(clientId).host,
    redirect_uris: ["https://a.example/back"],
  });
  expect(asked - before).toBe(1);
});

test.each([
  "http://assistant.example/client.json",
  "https://127.0.0.1/client.json",
  "https://[::1]/client.json",
  "https://10.1.2.3/client.json",
  "https://169.254.169.254/latest",
  "https://[::ffff:10.0.0.1]/client.json",
  "https://assistant.example:9200/client.json",
  "https://user:password@assistant.example/client.json",
  "https://api.tranche.example/client.json",
  "https://assistant.example/",
  "https://assistant.example",
  "https://assistant.example/a/../client.json",
  "https://assistant.example/client.json#part",
  "https://ASSISTANT.example/client.json",
  "assistant",
  "x".repeat(10_000),
])("%s is not read at all", async (clientId) => {
  const before = [asked, failures.length];
  await expect(readPublic(clientId)).rejects.toThrow(/^client_id is not the address of a document/);
  expect([asked, failures.length]).toEqual(before);
});

test("a public name that leads inside is refused when the connection is made, and members are not told where it leads", async () => {
  const before = asked;
  const error = (await readPublic("https://assistant.example/client.json").catch((failed: Error) => failed)) as Error;
  expect(error).toBeInstanceOf(UnusableClient);
  expect(error.message).not.toContain("127.0.0.1");
  expect(failures.at(-1)).toBe("https://assistant.example/client.json");
  expect(asked).toBe(before);
});

test.each<[string, RequestListener]>([
  ["a redirect", (_, response) => void response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end()],
  ["an error", (_, response) => void response.writeHead(500).end()],
  ["a page", (_, response) => void response.writeHead(200, { "Content-Type": "text/html" }).end("<p>")],
  ["no JSON", (_, response) => void response.writeHead(200, json).end("{")],
  ["too much", (_, response) => void response.writeHead(200, json).end(`"${"x".repeat(20_000)}"`)],
  ["a connection that breaks", (request) => void request.socket.destroy()],
])("%s is not the document of an application", async (_, listener) => {
  await expect(read(await application(listener))).rejects.toThrow(UnusableClient);
});

test.each([
  ["another client_id", { client_id: "https://a.example/other.json" }],
  ["no redirect", { redirect_uris: [] }],
  ["redirects that codes may not be sent to", { redirect_uris: ["javascript:alert(1)", "http://a.example/back"] }],
  ["a secret", { token_endpoint_auth_method: "client_secret_basic" }],
  ["a key", { token_endpoint_auth_method: "private_key_jwt" }],
])("a document with %s is refused", (_, other) => {
  const clientId = "https://a.example/client.json";
  expect(() => clientOf(clientId, about(clientId, other))).toThrow(UnusableClient);
});

test("a name is shown on one line, without what is not seen, and is the host when nothing is left", () => {
  const clientId = "https://a.example/client.json";
  const named = (client_name: string) => clientOf(clientId, about(clientId, { client_name })).name;
  expect(named(" Tranche\n\u202e\u200bsupport ")).toBe("Tranche support");
  expect(named("\u202e")).toBe("a.example");
  expect(named(`Café e${"\u0301".repeat(200)}`)).toBe("Café é\u0301\u0301");
  expect(named("x".repeat(500))).toHaveLength(80);
});
