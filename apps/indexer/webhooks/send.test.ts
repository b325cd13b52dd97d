import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { afterAll, expect, test } from "vitest";
import { newSecret } from "@tranche/webhooks/secrets";
import { receiverAgent, type Resolve } from "@tranche/webhooks/receiver-agent";
import { createSend, type Message } from "./send.ts";

const servers: Server[] = [];
const agent = receiverAgent("any");
afterAll(async () => {
  await agent.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
const send = createSend(agent);

async function receiver(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  servers.push(server);
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
const message = (url: string, secrets = [newSecret()]): Message => ({
  url,
  secrets,
  id: "msg_1",
  body: '{"type":"test"}',
  at: Date.now(),
});

test("the library of Standard Webhooks accepts what is signed, with either secret", async () => {
  const secrets = [newSecret(), newSecret()];
  let received: { body: string; headers: Record<string, string> } | undefined;
  const url = await receiver((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      received = { body, headers: request.headers as Record<string, string> };
      response.end("thanks");
    });
  });
  expect(await send(message(url, secrets))).toMatchObject({
    delivered: true,
    status: 200,
    reason: null,
    answer: "thanks",
  });
  for (const secret of secrets) {
    expect(new Webhook(secret).verify(received!.body, received!.headers)).toEqual({ type: "test" });
  }
  expect(() => new Webhook(newSecret()).verify(received!.body, received!.headers)).toThrow();
});

test("at most 4 KiB of an answer are read, however much comes", async () => {
  let written = 0;
  const url = await receiver((_, response) => {
    const chunk = Buffer.alloc(65_536, "x");
    const more = () => {
      while (written < 1e9 && !response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on("drain", more);
    response.on("error", () => {});
    more();
  });
  const { delivered, answer } = await send(message(url));
  expect({ delivered, length: answer.length }).toEqual({ delivered: true, length: 4096 });
  expect(written).toBeLessThan(50_000_000);
});

test.each([
  [500, "answered 500"],
  [301, "answered 301"],
])("an answer of %d is a failure, and a redirect is not followed", async (status, reason) => {
  let asked = 0;
  const elsewhere = await receiver((_, response) => void (asked++, response.end()));
  const url = await receiver((_, response) => void response.writeHead(status, { Location: elsewhere }).end());
  expect(await send(message(url))).toMatchObject({ delivered: false, status, reason: expect.stringContaining(reason) });
  expect(asked).toBe(0);
});

test("a receiver that is away, has no name or breaks off is a failure with a reason", async () => {
  const broken = await receiver((request) => request.socket.destroy());
  expect(await send(message(broken))).toMatchObject({ status: null, reason: expect.stringContaining("broke") });
  expect(await send(message("http://127.0.0.1:1/"))).toMatchObject({ reason: "The receiver refuses the connection." });
  expect(await send(message("http://nowhere.invalid/"))).toMatchObject({ reason: expect.stringContaining("resolved") });
});

const to =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

test.each([
  ["a name that resolves to a private address", "https://hooks.example.com/", to("10.0.0.1")],
  ["a name of which one address is private", "https://hooks.example.com/", to("93.184.216.34", "127.0.0.1")],
  ["a name that resolves to a mapped address", "https://hooks.example.com/", to("::ffff:127.0.0.1")],
  ["an address", "https://127.0.0.1/", to("93.184.216.34")],
  ["an address of IPv6", "https://[::1]/", to("93.184.216.34")],
  ["an address in another notation", "https://0x7f000001/", to("93.184.216.34")],
])("with public targets nothing reaches %s", async (_, url, resolve) => {
  const guarded = receiverAgent("public", resolve);
  expect(await createSend(guarded)(message(url))).toMatchObject({
    delivered: false,
    status: null,
    reason: expect.stringContaining("public"),
  });
  await guarded.destroy();
});

test("a name is resolved and checked again at each connection", async () => {
  let asked = 0;
  const url = await receiver((_, response) => void response.end());
  const guarded = receiverAgent("public", async () => {
    asked++;
    return [{ address: "127.0.0.1", family: 4 }];
  });
  for (let n = 0; n < 2; n++) {
    const outcome = await createSend(guarded)(message(url.replace("127.0.0.1", "rebinding.example.com")));
    expect(outcome.reason).toContain("127.0.0.1 is not a public one");
  }
  expect(asked).toBe(2);
  await guarded.destroy();
});
