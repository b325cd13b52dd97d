import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ENGINES } from "./support/engines.ts";
import { createSearch } from "../apps/api/search/search.ts";

const TIMEOUT_MS = 500;
const QUERY = { query: { match_all: {} } };
const names = indexNames(`search-errors${Date.now()}`);
const index = names.role("funding", "live");
const servers: Server[] = [];
const closing: (() => Promise<void>)[] = [];

function searchAt(url: string, timeoutMs = TIMEOUT_MS) {
  const client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: timeoutMs + 1000 });
  closing.push(() => client.close());
  return createSearch(client, { timeoutMs });
}

/** An address where every request gets the same answer. */
async function answering(answer: (response: ServerResponse) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer(response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const HEAD = { "content-type": "application/json", "x-elastic-product": "Elasticsearch" };

beforeAll(async () => {
  const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 1, requestTimeoutMs: 30_000 });
  await ensureIndices(client, names, { shards: 1, replicas: 0 });
  await client.close();
});
afterAll(async () => {
  for (const close of closing) await close();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test("a search that the engine takes is answered", async () => {
  expect(await searchAt(ENGINES.elasticsearchUrl, 10_000)(index, QUERY)).toMatchObject({ documents: [], ids: [] });
});

test("one that it refuses is our fault, and a missing index is an engine that is not ready", async () => {
  const search = searchAt(ENGINES.elasticsearchUrl, 10_000);
  await expect(search(index, { query: { no_such_query: {} } as never })).rejects.toMatchObject({
    code: "internal_error",
  });
  await expect(search(`${index}-missing`, QUERY)).rejects.toMatchObject({ code: "unavailable" });
});

test.each([
  ["is not there", async () => "http://127.0.0.1:9"],
  ["is busy", () => answering((response) => response.writeHead(429, HEAD).end("{}"))],
  [
    "is behind something that is not",
    () => answering((response) => response.writeHead(502).end("<h1>Bad Gateway</h1>")),
  ],
  ["does not answer in time", () => answering(() => {})],
  [
    "stops in the middle",
    () =>
      answering((response) => {
        response.writeHead(200, { ...HEAD, "content-length": 100 });
        response.write('{"took":1');
      }),
  ],
  [
    "drops the connection",
    () =>
      answering((response) => {
        response.writeHead(200, { ...HEAD, "content-length": 100 });
        response.write('{"took":1', () => response.destroy());
      }),
  ],
])("an engine that %s is unavailable", async (_, address) => {
  await expect(searchAt(await address())(index, QUERY)).rejects.toMatchObject({ code: "unavailable" });
});
