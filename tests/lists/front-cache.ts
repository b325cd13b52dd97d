import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { metricsOf } from "../support/metrics.ts";
import type { Fixture } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

export function testFrontCache({ service, queues }: Fixture): void {
  let key: string;

  beforeAll(async () => {
    key = await service.key("growth");
    await queues.send([
      ...Array.from({ length: 3 }, (_, n) => company(1, `front-${n}`, { tech_stack: ["Rust", "React"] })),
      ...Array.from({ length: 30 }, (_, n) => round(1, `rnd-front-${n}`, `front-${n % 3}`)),
    ]);
    await queues.settled();
  });

  type Reply = { status: number; head: Record<string, string>; names: string[]; body: Buffer };

  /** As it comes over the wire. */
  async function ask(path: string, headers: Record<string, string> = {}): Promise<Reply> {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${service.base}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } }, resolve).on(
        "error",
        reject,
      );
    });
    const names = response.rawHeaders.filter((_, n) => n % 2 === 0);
    const head = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
    return { status: response.statusCode!, head, names: names.toSorted(), body: await buffer(response) };
  }

  /** Without what every reply has of its own. */
  function common({ head }: Reply): Record<string, string> {
    const { date: _date, ratelimit: _limit, "x-request-id": _id, ...rest } = head;
    for (const name of ["x-ratelimit-remaining", "x-ratelimit-reset"]) delete rest[name];
    return rest;
  }
  const left = ({ head }: Reply, window: string) =>
    Number(new RegExp(`"${window}";r=(\\d+)`).exec(head["ratelimit"]!)![1]);
  const searches = async () =>
    Number(/^tranche_search_seconds_count (\d+)/m.exec(await metricsOf(service.apiMetrics))![1]);

  describe("an answer that is sent again", () => {
    test.each<[string, string, Record<string, string>]>([
      ["plain", "/funding?limit=5", {}],
      ["of the other list", "/signals?limit=2", {}],
      ["compressed with brotli", "/funding?limit=20", { "accept-encoding": "br, gzip" }],
      ["compressed with gzip", "/funding?limit=20", { "accept-encoding": "gzip" }],
      ["without compression wanted", "/funding?limit=20", { "accept-encoding": "identity" }],
      ["as CSV", "/signals", { accept: "text/csv" }],
      ["as NDJSON", "/funding?limit=3", { accept: "application/x-ndjson" }],
      ["to a page of another origin", "/funding?limit=4", { origin: "https://example.com" }],
      ["to a strict caller", "/funding?limit=4", { prefer: "handling=strict" }],
      ["with a page that is capped", "/funding?limit=50", {}],
      ["for what nobody knows", "/funding?investors=nobody", {}],
    ])("%s is the same as the first time, and is charged the same", async (_, path, headers) => {
      const first = await ask(path, headers);
      expect(first.status).toBe(200);
      const before = await searches();
      for (let again = 1; again <= 3; again++) {
        const reply = await ask(path, headers);
        expect(reply.status).toBe(200);
        expect(common(reply)).toEqual(common(first));
        expect(reply.names).toEqual(first.names);
        expect(reply.body.equals(first.body)).toBe(true);
        expect(reply.head["x-request-id"]).toMatch(/^req_[0-9a-f]{32}$/);
        expect(reply.head["x-request-id"]).not.toBe(first.head["x-request-id"]);
        expect(left(first, "burst") - left(reply, "burst")).toBe(again);
      }
      expect(await searches()).toBe(before);
      // What was served while Redis was silent for a moment is counted soon afterwards.
      let charged = 3;
      await expect
        .poll(async () => left(first, "month") - left(await ask(path, headers), "month") - ++charged, { interval: 100 })
        .toBe(0);
    });

    test("has the requested encoding, whatever another caller requested before", async () => {
      const text = (reply: Reply) =>
        reply.head["content-encoding"] === "br"
          ? brotliDecompressSync(reply.body)
          : reply.head["content-encoding"] === "gzip"
            ? gunzipSync(reply.body)
            : reply.body;
      const plain = await ask("/funding?limit=19");
      for (const encoding of ["br", "gzip", "identity", "br", "gzip", "identity", "gzip;q=0", "deflate", "br"]) {
        const reply = await ask("/funding?limit=19", { "accept-encoding": encoding });
        expect(reply.head["content-encoding"]).toBe(["br", "gzip"].includes(encoding) ? encoding : undefined);
        expect(text(reply).equals(plain.body)).toBe(true);
      }
    });

    test("carries the caller's own request id", async () => {
      for (let n = 0; n < 3; n++) {
        const { head } = await ask("/funding?limit=6", { "x-request-id": `mine-${n}` });
        expect(head["x-request-id"]).toBe(`mine-${n}`);
      }
    });
  });

  describe("what is known does not keep away", () => {
    const path = "/funding?limit=7";

    test("that a caller has the answer already", async () => {
      const { head } = await ask(path);
      await ask(path);
      const reply = await ask(path, { "if-none-match": head["etag"]! });
      expect([reply.status, reply.body.length]).toEqual([304, 0]);
    });

    test("callers with no key, a wrong key, or too much in the headers", async () => {
      for (let n = 0; n < 2; n++) await ask(path);
      expect((await ask(path, { authorization: "" })).status).toBe(401);
      expect((await ask(path, { authorization: `Bearer ${key}x` })).status).toBe(401);
      expect((await ask(path, { "x-much": "x".repeat(17_000) })).status).toBe(431);
    });

    test("another Accept, which nothing can serve", async () => {
      for (let n = 0; n < 2; n++) await ask(path);
      expect((await ask(path, { accept: "image/png" })).status).toBe(406);
    });

    test("that another plan has smaller pages", async () => {
      const ids = (reply: Reply) => (JSON.parse(reply.body.toString()) as { data: unknown[] }).data.length;
      for (let n = 0; n < 3; n++) expect(ids(await ask("/funding?limit=15"))).toBe(15);
      const starter = { authorization: `Bearer ${await service.key("starter")}` };
      for (let n = 0; n < 3; n++) expect(ids(await ask("/funding?limit=15", starter))).toBe(10);
      expect(ids(await ask("/funding?limit=15"))).toBe(15);
    });

    test("that the limits are reached: 60 of 80 at the same time are served", async () => {
      const starter = { authorization: `Bearer ${await service.key("starter")}` };
      // Known to the process, which answers it by itself while Redis is silent for a moment.
      const first = await ask(path, starter);
      const replies = [first, ...(await Promise.all(Array.from({ length: 79 }, () => ask(path, starter))))];
      expect(replies.filter(({ status }) => status === 200)).toHaveLength(60);
      const refused = replies.filter(({ status }) => status === 429);
      expect(refused).toHaveLength(20);
      for (const { head } of refused) expect(Number(head["retry-after"])).toBeGreaterThan(0);
      const remaining = replies.filter(({ status }) => status === 200).map((reply) => left(reply, "burst"));
      expect(new Set(remaining).size).toBe(60);
    });
  });

  test("callers that hang up break nothing", async () => {
    const path = "/funding?limit=9";
    for (let n = 0; n < 2; n++) await ask(path);
    const { hostname, port, pathname } = new URL(service.base);
    const request = `GET ${pathname}${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;
    for (let n = 0; n < 100; n++) {
      const socket = connect(Number(port), hostname);
      await once(socket, "connect");
      socket.write(request);
      // Some before it is read, some while it is decided or answered.
      if (n % 3 > 0) await pause(n % 3);
      socket.resetAndDestroy();
    }
    expect((await ask(path)).status).toBe(200);
  });

  test("every reply is counted under its address", async () => {
    const counted = async () => {
      const text = await metricsOf(service.apiMetrics);
      const line =
        /^tranche_http_requests_total\{(?=[^}]*route="\/api\/v1\/funding")(?=[^}]*method="GET")(?=[^}]*status="200")[^}]*\} (\d+)/m;
      return Number(line.exec(text)![1]);
    };
    // Requests that broke off in the test before may still be under way.
    let before = await counted();
    for (let earlier = -1; earlier !== before; before = await counted()) {
      earlier = before;
      await pause(500);
    }
    for (let n = 0; n < 5; n++) await ask("/funding?limit=8");
    expect(await counted()).toBe(before + 5);
  });
}
