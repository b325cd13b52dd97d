import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import type { errors } from "@elastic/elasticsearch";
import { expect, test } from "vitest";
import { createSearchClient } from "./client.ts";

test("an error of a connection has no secrets with it, and no copy of what was sent", async () => {
  const server = createServer((request) => request.socket.destroy()).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createSearchClient({ url, apiKey: "a-secret" }, { connections: 1, requestTimeoutMs: 5000 });
  const bulkBody = Buffer.from('{"delete":{"_index":"records","_id":"1"}}\n');
  const error = await client.transport.request({ method: "POST", path: "/_bulk", bulkBody }).then(
    () => expect.fail("the connection was broken"),
    (reason: errors.ConnectionError) => reason,
  );
  expect(error.name).toBe("ConnectionError");
  expect(error.meta?.meta.request.params.body).toBe(bulkBody);
  expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain("a-secret");
  await client.close();
  server.close();
});
