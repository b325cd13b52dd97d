import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Client } from "@elastic/elasticsearch";
import { afterEach, expect, test } from "vitest";
import { WatchedConnection } from "./watched-connection.ts";

/** As the real one, but quick. */
class QuickConnection extends WatchedConnection {
  static override times = { lookEveryMs: 50, connectWithinMs: 50 };
}

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A node that answers after `answerAfterMs`; never if it is not given. */
async function node(answerAfterMs?: number) {
  let asked = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((_request, response) => {
    asked++;
    if (answerAfterMs === undefined) return;
    response.writeHead(200, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" });
    setTimeout(() => response.end("{}"), answerAfterMs);
  });
  server.on("connection", (socket) => void sockets.add(socket));
  await once(server.listen(0, "127.0.0.1"), "listening");
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: () => asked,
    /** Takes no connection any more, and leaves those that are open as they are. */
    vanish: () => void server.close(),
  };
}

function clientOf(nodes: string[]): Client {
  const client = new Client({
    nodes,
    Connection: QuickConnection,
    maxRetries: nodes.length - 1,
    requestTimeout: 10_000,
  });
  ends.push(() => client.close());
  return client;
}

test("requests to a host that vanished go to another node, long before their time limit", async () => {
  const [silent, good] = [await node(), await node(0)];
  const client = clientOf([silent.url, good.url]);
  const answers = Promise.all([1, 2, 3, 4].map(() => client.index({ index: "records", document: {} })));
  await expect.poll(silent.asked).toBeGreaterThan(0);
  const since = Date.now();
  silent.vanish();
  await answers;
  expect(Date.now() - since).toBeLessThan(5000);
  expect(good.asked()).toBeGreaterThanOrEqual(4);
});

test("with no other node they fail as without a connection, and the next one finds the node when it is back", async () => {
  const silent = await node();
  const client = clientOf([silent.url]);
  const failing = client.ping();
  await expect.poll(silent.asked).toBe(1);
  silent.vanish();
  await expect(failing).rejects.toMatchObject({
    name: "ConnectionError",
    message: expect.stringContaining("does not answer and accepts no connections") as string,
  });
  const back = createServer((_request, response) => {
    response.writeHead(200, { "x-elastic-product": "Elasticsearch" }).end();
  });
  await once(back.listen(Number(new URL(silent.url).port), "127.0.0.1"), "listening");
  ends.push(() => back.close());
  expect(await client.ping()).toBe(true);
});

test("a long request to a node that is there is not given up", async () => {
  const slow = await node(1000);
  const client = clientOf([slow.url]);
  expect(await client.indices.refresh({ index: "records" })).toEqual({});
  expect(slow.asked()).toBe(1);
});
