import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Random } from "./random.ts";

export type Mode =
  | { kind: "pass" }
  /** Every connection is broken. */
  | { kind: "away" }
  /** This share of bulk items, and of whole requests, is answered with 429 and not done. */
  | { kind: "busy"; items: number; requests: number };

export type Seen = { method: string; path: string; body: string };

/** Says of a request that it is to be caught before it reaches the engine, or after the engine has done it. */
export type Catch = (seen: Seen) => "before" | "after" | undefined;

export type EngineProxy = {
  url: string;
  mode: Mode;
  refused: { items: number; requests: number };
  /** Breaks the connection of the first request that fits, before or after it is done, once `meanwhile` is through. */
  catchNext(fits: Catch, meanwhile: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
};

type Answer = { status: number; headers: IncomingMessage["headers"]; body: Buffer };
const BUSY = { type: "es_rejected_execution_exception", reason: "the drill says so" };

/** Stands between the indexer and Elasticsearch. */
export async function startProxy(target: string, random: Random): Promise<EngineProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let caught: { fits: Catch; meanwhile: () => Promise<void>; done: () => void } | undefined;

  const forward = (incoming: IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = { ...incoming.headers, "content-length": String(body.length) };
      const outgoing = request(
        new URL(incoming.url!, target),
        { method: incoming.method!, headers, agent },
        (answer) => {
          buffer(answer).then(
            (whole) => resolve({ status: answer.statusCode!, headers: answer.headers, body: whole }),
            reject,
          );
        },
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    if (proxy.mode.kind === "away") return void incoming.socket.destroy();
    const hit = caught?.fits({ method: incoming.method!, path: incoming.url!, body: body.toString() });
    if (caught && hit) {
      const waiting = caught;
      const { meanwhile, done } = waiting;
      caught = undefined;
      try {
        if (hit === "after") await forward(incoming, body);
      } catch (error) {
        // It did not happen: the next try of it is caught.
        caught = waiting;
        throw error;
      }
      await meanwhile();
      incoming.socket.destroy();
      return done();
    }
    let answer: Answer;
    if (proxy.mode.kind === "busy" && random.chance(proxy.mode.requests)) {
      proxy.refused.requests++;
      answer = json(429, { error: BUSY, status: 429 });
    } else if (proxy.mode.kind === "busy" && incoming.url!.split("?")[0]!.endsWith("/_bulk")) {
      answer = await forwardSome(incoming, body, proxy.mode.items);
    } else answer = await forward(incoming, body);
    const { "transfer-encoding": _, connection: __, ...headers } = answer.headers;
    outgoing.writeHead(answer.status, { ...headers, "content-length": String(answer.body.length) });
    outgoing.end(incoming.method === "HEAD" ? undefined : answer.body);
  };

  /** Sends a part of a bulk on, and puts refusals among the answers. */
  const forwardSome = async (incoming: IncomingMessage, body: Buffer, share: number): Promise<Answer> => {
    const lines = body.toString().trimEnd().split("\n");
    const items = Array.from({ length: lines.length / 2 }, (_, n) => ({
      lines: `${lines[2 * n]}\n${lines[2 * n + 1]}\n`,
      index: JSON.parse(lines[2 * n]!) as { index: { _index: string; _id: string } },
      refused: random.chance(share),
    }));
    const sent = items.filter((item) => !item.refused);
    proxy.refused.items += items.length - sent.length;
    const done =
      sent.length === 0
        ? { errors: true, took: 0, items: [] }
        : parsed(await forward(incoming, Buffer.from(sent.map((item) => item.lines).join(""))));
    const answers = done.items.values();
    const merged = items.map(({ refused, index }) =>
      refused ? { index: { ...index.index, status: 429, error: BUSY } } : answers.next().value,
    );
    return json(200, { ...done, errors: true, items: merged });
  };

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  // A bulk under way may take its time.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 120_000;
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const proxy: EngineProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: { kind: "pass" },
    refused: { items: 0, requests: 0 },
    catchNext: (fits, meanwhile) => new Promise((done) => (caught = { fits, meanwhile, done })),
    async close() {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return proxy;
}

function json(status: number, value: unknown): Answer {
  const headers = { "content-type": "application/json", "x-elastic-product": "Elasticsearch" };
  return { status, headers, body: Buffer.from(JSON.stringify(value)) };
}

function parsed({ status, body }: Answer): { items: unknown[] } {
  if (status !== 200) throw new Error(`a bulk was answered with ${status}`);
  return JSON.parse(body.toString()) as { items: unknown[] };
}
