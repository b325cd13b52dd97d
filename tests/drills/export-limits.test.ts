import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, get as sendGet, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { pipeline } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { ensureIndices } from "@tranche/read-models/indices/creation";
import { newHandle } from "@tranche/shared/accounts/api-key";
import { accountRedisKeys } from "@tranche/shared/accounts/redis-keys";
import { createLogger } from "@tranche/shared/process/logger";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { indexNames } from "@tranche/shared/engines/search/index-names";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createExports, type Exports } from "../../apps/api/exports/exports.ts";
import { EXPORT_LIMITS, type ExportLimits } from "../../apps/api/exports/limits.ts";
import { createSlots, EXPORTS, SLOT_LIMITS, type SlotLimits } from "../../apps/api/exports/slots.ts";
import { exportText } from "../../apps/api/present/export.ts";
import { createCountersConnection } from "../../apps/api/redis/connection.ts";
import { createRedisGateway } from "../../apps/api/redis/gateway.ts";
import { FUNDING_LIST } from "../../apps/api/routes/lists.ts";
import { createPointsInTime } from "../../apps/api/search/point-in-time.ts";
import type { ExportOutcome } from "../../apps/api/serve/metrics.ts";
import { ENGINES } from "../support/engines.ts";
import { deleteNamespace } from "../support/namespace.ts";
import { makeWorld } from "../support/world.ts";
import { fundingDocument } from "../support/world-documents.ts";

const namespace = `limits${randomBytes(4).toString("hex")}`;
const log = createLogger("test", "silent");
const connections: RedisClient[] = [];

/** The gateway of a process of its own. */
async function newGateway() {
  const redis = createCountersConnection(ENGINES.redisUrl, undefined);
  redis.on("error", () => {});
  connections.push(redis);
  await once(redis, "ready");
  return createRedisGateway(redis, { key: namespace, report: () => {}, log, now: Date.now });
}
const slotsOf = async (limits: Partial<SlotLimits> = {}) =>
  createSlots(await newGateway(), namespace, { ...SLOT_LIMITS, ...limits }, EXPORTS);
const TOO_MANY = { code: "rate_limited", headers: { "Retry-After": "10" } };

afterAll(async () => {
  for (const redis of connections) redis.disconnect();
  await deleteNamespace(ENGINES, namespace);
});

describe("slots", () => {
  test("of an account are shared by all processes, whatever the order", async () => {
    const processes = [await slotsOf(), await slotsOf(), await slotsOf()];
    const account = newHandle();
    const asked = await Promise.allSettled(
      Array.from({ length: 30 }, (_, n) => processes[n % processes.length]!.take(account)),
    );
    const taken = asked.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(taken).toHaveLength(2);
    for (const outcome of asked) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(TOO_MANY);
    await taken[0]!();
    const free = await processes[2]!.take(account);
    await expect(processes[0]!.take(account)).rejects.toMatchObject(TOO_MANY);
    await Promise.all([free(), taken[1]!()]);
    expect(await connections[0]!.exists(accountRedisKeys(namespace, account).exports)).toBe(0);
  });

  test("of a process are twenty, and another account gets none then", async () => {
    const slots = await slotsOf();
    const taken = [];
    for (let n = 0; n < 20; n++) taken.push(await slots.take(newHandle()));
    await expect(slots.take(newHandle())).rejects.toMatchObject({
      code: "unavailable",
      headers: { "Retry-After": "10" },
    });
    await taken.pop()!();
    await (
      await slots.take(newHandle())
    )();
    for (const free of taken) await free();
  });

  test("are held for as long as an export takes, and those of a killed process are free soon", async () => {
    const leaseMs = 1500;
    const gateway = await newGateway();
    const killed = createSlots(gateway, namespace, { ...SLOT_LIMITS, leaseMs }, EXPORTS);
    const account = newHandle();
    await killed.take(account);
    const other = await slotsOf({ leaseMs });
    const free = await other.take(account);
    await pause(3 * leaseMs);
    await expect(other.take(account)).rejects.toMatchObject(TOO_MANY);
    gateway.redis.disconnect();
    await pause(2 * leaseMs);
    await (
      await other.take(account)
    )();
    await free();
  });

  test("are counted by each process alone while Redis is away, and by all when it is back", async () => {
    const leaseMs = 1500;
    const gateway = await newGateway();
    const slots = createSlots(gateway, namespace, { ...SLOT_LIMITS, leaseMs }, EXPORTS);
    const account = newHandle();
    gateway.nodeStateOf(account).outage.begins(new Error("for this test"));
    // Until a ping is answered.
    expect(gateway.nodeStateOf(account).outage.lasts()).toBeDefined();
    const taken = [await slots.take(account), await slots.take(account)];
    await expect(slots.take(account)).rejects.toMatchObject(TOO_MANY);
    const other = await slotsOf({ leaseMs });
    await pause(leaseMs);
    await expect(other.take(account)).rejects.toMatchObject(TOO_MANY);
    for (const free of taken) await free();
    await (
      await other.take(account)
    )();
  });

  test("that end while Redis is away are free soon after it is back", async () => {
    const gateway = await newGateway();
    const slots = createSlots(gateway, namespace, SLOT_LIMITS, EXPORTS);
    const account = newHandle();
    const taken = [await slots.take(account), await slots.take(account)];
    gateway.nodeStateOf(account).outage.begins(new Error("for this test"));
    for (const free of taken) await free();
    const key = accountRedisKeys(namespace, account).exports;
    await expect.poll(() => connections[0]!.exists(key), { timeout: 5000 }).toBe(0);
  });
});

describe("an export", () => {
  const names = indexNames(namespace);
  const index = names.role("funding", "live");
  /** More than the buffers of a connection hold: each row is large. */
  const rounds = makeWorld(2000, 7).rounds;
  const client = createSearchClient({ url: ENGINES.elasticsearchUrl }, { connections: 4, requestTimeoutMs: 30_000 });
  const outcomes: [ExportOutcome, number][] = [];
  const refunds: number[] = [];
  let server: Server | undefined;
  let exports: Exports;

  beforeAll(async () => {
    await ensureIndices(client, names, { shards: 2, replicas: 0 });
    const filling = "x".repeat(20_000);
    for (let at = 0; at < rounds.length; at += 200) {
      const operations = rounds.slice(at, at + 200).flatMap((round) => {
        const document = fundingDocument(round);
        const row = JSON.stringify({ ...(JSON.parse(document.row) as object), filling });
        return [{ index: { _id: round.id } }, { ...document, row }];
      });
      expect((await client.bulk({ index, operations })).errors).toBe(false);
    }
    await client.indices.refresh({ index });
  });
  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
    outcomes.length = refunds.length = 0;
  });
  afterAll(() => client.close());

  /** Serves exports of all rounds with these limits. Connections that are silent for `silentMs` are closed, as the API's server does. */
  async function serve(limits: Partial<ExportLimits>, silentMs = 30_000): Promise<number> {
    exports = createExports({
      slots: await slotsOf(),
      openPointInTime: createPointsInTime(client, { timeoutMs: 60_000 }),
      metrics: {
        exportBegins:
          () =>
          (outcome, { rows }) =>
            void outcomes.push([outcome, rows]),
      },
      log,
      limits: { ...EXPORT_LIMITS, pageRows: 100, ...limits },
    });
    const account = newHandle();
    server = createServer((_request, response) => {
      void (async () => {
        const begun = await exports.begin({ account, route: "/", requestId: "r", response });
        const search = { filters: FUNDING_LIST.base, idField: "id", source: FUNDING_LIST.source };
        const text = exportText(FUNDING_LIST, { format: "ndjson", excel: false, rawText: false });
        const pages = await begun.read(index, search, text);
        pipeline(
          begun.stream(pages, text.head, async (sent, serviceFailed) => void (serviceFailed && refunds.push(sent))),
          response,
          () => {},
        );
      })().catch(() => response.destroy());
    });
    server.timeout = silentMs;
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }
  async function open(port: number): Promise<IncomingMessage> {
    const request = sendGet({ port, host: "127.0.0.1", agent: false });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    request.on("error", () => {});
    return response;
  }
  const ended = async () => {
    for (let tries = 0; outcomes.length === 0 && tries < 100; tries++) await pause(50);
    return outcomes;
  };

  test("whose reader takes pages in time continues, however long it is silent between them", async () => {
    const response = await open(await serve({ pageWithinMs: 20_000 }, 2000));
    await pause(3500);
    const rows = (await buffer(response)).toString().split("\n").length - 1;
    expect([rows, await ended(), refunds]).toEqual([rounds.length, [["finished", rounds.length]], []]);
  });

  test("whose reader takes less than a page in time is cut off, and nothing is given back", async () => {
    const response = await open(await serve({ pageWithinMs: 400 }));
    expect(await ended()).toMatchObject([["slow", expect.any(Number) as number]]);
    expect(outcomes[0]![1]).toBeLessThan(rounds.length);
    await expect(buffer(response)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(refunds).toEqual([]);
  });

  test("whose reader leaves the last page is cut off, too", async () => {
    const port = await serve({ pageWithinMs: 400, pageRows: 5000 });
    const response = await open(port);
    expect((await ended())[0]![0]).toBe("slow");
    response.destroy();
  });

  test("that takes too long in all is cut off", async () => {
    const response = await open(await serve({ exportWithinMs: 400 }));
    expect((await ended())[0]![0]).toBe("long");
    await expect(buffer(response)).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(refunds).toEqual([]);
  });

  test("under way when the process shuts down may end, and is cut off and given back after that", async () => {
    const response = await open(await serve({}));
    const closing = exports.close(300);
    await closing;
    expect((await ended())[0]![0]).toBe("shutdown");
    expect(refunds).toEqual([outcomes[0]![1]]);
    await expect(buffer(response)).rejects.toMatchObject({ code: "ECONNRESET" });
  });

  test("is cut off by a reset, because a caller that speaks HTTP/1.0 takes any other end for a whole one", async () => {
    const port = await serve({ pageWithinMs: 400 });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.0\r\n\r\n");
    socket.pause();
    await ended();
    socket.resume();
    const [error] = (await once(socket, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNRESET");
  });
});
