import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { DiagnosticResult } from "@elastic/elasticsearch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSearchClient } from "./client.ts";

/** Answers with what it was sent. */
const server = createServer((request, response) => {
  response.writeHead(200, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" });
  void text(request).then((sent) => response.end(JSON.stringify({ sent })));
});
let client: ReturnType<typeof createSearchClient>;
/** The results that the client's own transport made. */
const made: DiagnosticResult[] = [];

beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: 5000 });
  client.diagnostic.on("response", (_error, result) => void made.push(result!));
});
afterAll(async () => {
  await client.close();
  server.close();
});

test("requests and answers stay with their caller, and nowhere else", async () => {
  const params = { method: "POST", path: "/_bulk", bulkBody: Buffer.from("{}\n") };
  expect(await client.transport.request(params)).toEqual({ sent: "{}\n" });
  expect(params.bulkBody.toString()).toBe("{}\n");
  expect(made.at(-1)).toMatchObject({ body: undefined, meta: { request: { params: { body: undefined } } } });
});

test("an answer with what belongs to it is whole", async () => {
  const answer = await client.search({ index: "records", size: 0 }, { meta: true });
  expect(answer).toMatchObject({ statusCode: 200, body: { sent: '{"size":0}' }, warnings: null });
  expect(answer.meta.request.params.path).toBe("/records/_search");
  expect(made.at(-1)!.body).toBeUndefined();
});
