import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { expect, test } from "vitest";
import { endWhenGivenUp } from "./given-up-nodes.ts";

/** A server that does with each connection what the next of `connections` says, and its port. */
async function serve(...connections: ((socket: Socket, request: string) => void)[]) {
  let count = 0;
  const server = createServer((socket) => {
    const answer = connections[count++];
    if (answer) socket.on("data", (data) => answer(socket, data.toString()));
    else socket.destroy();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

const info = (loading: 0 | 1) => {
  const text = `loading:${loading}\r\nloading_eta_seconds:60`;
  return `$${text.length}\r\n${text}\r\n`;
};

function connect(port: number, pauseMs: number): Redis {
  const options = {
    protocol: 2,
    maxRetriesPerRequest: null,
    disableClientInfo: true,
    retryStrategy: () => pauseMs,
  } as const;
  const node = new Redis(port, "127.0.0.1", options);
  node.on("error", () => {});
  endWhenGivenUp(node);
  return node;
}

test("a node that is given up between two attempts to connect rejects what waits for it", async () => {
  const { port, close } = await serve();
  const node = connect(port, 60_000);
  const waiting = node.get("key");
  await expect.poll(() => node.status).toBe("reconnecting");
  node.disconnect();
  await expect(waiting).rejects.toThrow("Connection is closed.");
  expect(node.status).toBe("end");
  close();
});

test("a node that is given up while it loads its data rejects what it had sent before", async () => {
  const { port, close } = await serve(
    (socket, request) => (request.includes("info") ? socket.write(info(0)) : socket.destroy()),
    (socket) => socket.write(info(1)),
  );
  const node = connect(port, 10);
  await once(node, "ready");
  const waiting = node.get("key");
  await once(node, "connect");
  node.disconnect();
  await expect(waiting).rejects.toThrow("Connection is closed.");
  close();
});
