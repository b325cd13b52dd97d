import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { Duplex } from "node:stream";
import { type AddressInfo, connect, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { Redis } from "ioredis";
import { generate } from "selfsigned";
import type { Engines } from "./namespace.ts";

export type RedisState = "there" | "cut" | "silent";

export type SecuredEngines = Engines & {
  /** The authority that signed both certificates, as the settings ask for it. */
  caFile: string;
  /** From now on Elasticsearch answers searches with 503, or no longer. */
  failSearches(fail: boolean): void;
  /** From now on Redis can't be reached, or can be but says nothing, or answers again. */
  redis(state: RedisState): void;
  close(): Promise<void>;
};

/** Engines behind TLS that ask for a user and a password: proxies in front of engines that have neither. */
export async function secureEngines(engines: Engines): Promise<SecuredEngines> {
  const { private: key, cert } = await generate([{ name: "commonName", value: "127.0.0.1" }], {
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: "127.0.0.1" }] },
    ],
  });
  const caFile = join(mkdtempSync(join(tmpdir(), "tranche-ca-")), "ca.pem");
  writeFileSync(caFile, cert);
  const [user, password] = [`u${randomBytes(4).toString("hex")}`, randomBytes(12).toString("hex")];
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;

  let failing = false;
  const target = new URL(engines.elasticsearchUrl);
  const elasticsearch = createHttpsServer({ key, cert }, (asked, answer) => {
    const refuse = (status: number, type: string) => {
      asked.resume();
      answer.writeHead(status, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" });
      answer.end(JSON.stringify({ error: { type, reason: type }, status }));
    };
    if (asked.headers.authorization !== expected) return refuse(401, "security_exception");
    if (failing && asked.url!.includes("_search")) return refuse(503, "unavailable_shards_exception");
    const { authorization: _, connection: __, ...headers } = asked.headers;
    const onward = request(
      { host: target.hostname, port: target.port, path: asked.url, method: asked.method, headers, agent: false },
      (found) => {
        answer.writeHead(found.statusCode!, found.headers);
        found.pipe(answer);
      },
    );
    onward.on("error", () => answer.destroy());
    asked.pipe(onward);
  });

  const plain = new Redis(engines.redisUrl);
  await plain.call("ACL", "SETUSER", user, "on", `>${password}`, "allkeys", "allchannels", "+@all");
  const redisAt = new URL(engines.redisUrl);
  let state: RedisState = "there";
  const ways = new Set<{ near: Duplex; far: Duplex }>();
  const redis = createTlsServer({ key, cert }, (near) => {
    near.on("error", () => {});
    if (state === "cut") return near.destroy();
    const far = connect(Number(redisAt.port), redisAt.hostname);
    const way = { near, far };
    ways.add(way);
    near.on("close", () => ways.delete(way));
    far.on("data", (chunk) => {
      if (state === "there") near.write(chunk);
    });
    near.pipe(far);
    far.on("end", () => near.end());
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy());
    }
  });

  const sockets = new Set<Socket>();
  const servers: Server[] = [elasticsearch, redis];
  for (const server of servers) {
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("close", () => sockets.delete(socket));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  const address = (scheme: string, server: Server) =>
    `${scheme}://${user}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`;

  return {
    elasticsearchUrl: address("https", elasticsearch),
    redisUrl: address("rediss", redis),
    caFile,
    failSearches: (fail) => void (failing = fail),
    redis(wanted) {
      state = wanted;
      if (wanted === "silent") return;
      // A connection that was silent has lost answers: it must not be used again.
      for (const { near, far } of ways) [near, far].forEach((side) => side.destroy());
    },
    async close() {
      await plain.call("ACL", "DELUSER", user);
      plain.disconnect();
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
