import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { writeBulk } from "@tranche/shared/engines/search/bulk";
import { createSearchClient } from "@tranche/shared/engines/search/client";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { afterAll, beforeEach, expect, test } from "vitest";
import { reportWaits } from "./waits.ts";

const BLOCKED =
  "index [t-control] blocked by: [TOO_MANY_REQUESTS/12/disk usage exceeded flood-stage watermark, index has read-only-allow-delete block];";
const CLOSED = { type: "cluster_block_exception", reason: BLOCKED };
const REPORTED =
  "t-control takes no writes: Elasticsearch blocks them, because a disk is nearly full. It allows writes again when there is room. Free disk space. If a rebuild fills the disk, delete its new indices: `ops reindex status --json` names them. Waiting …";

let answer: { status: number; body: object };
const server = createServer((_request, response) => {
  response.writeHead(answer.status, { "content-type": "application/json", "x-elastic-product": "Elasticsearch" });
  response.end(JSON.stringify(answer.body));
});
await once(server.listen(0, "127.0.0.1"), "listening");
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const client = createSearchClient({ url }, { connections: 1, requestTimeoutMs: 5000 });
let reported: string[] = [];
reportWaits(client, (line) => void reported.push(line), 100);

beforeEach(() => void (reported = []));
afterAll(async () => {
  await client.close();
  server.close();
});

/** Repeats `work` until something is reported, and then until Elasticsearch gives `good`. */
async function repeated(bad: typeof answer, good: object, work: () => Promise<unknown>): Promise<void> {
  answer = bad;
  const done = work();
  await expect.poll(() => reported.length, { timeout: 4000 }).toBe(1);
  answer = { status: 200, body: good };
  await done;
}

test("a write to an index that is blocked because a disk is full", async () => {
  await repeated(
    { status: 429, body: { error: { ...CLOSED, root_cause: [CLOSED] }, status: 429 } },
    { result: "created" },
    () => retryForever(() => client.index({ index: "t-control", id: "rebuild", document: {} })),
  );
  expect(reported).toEqual([REPORTED, "Elasticsearch accepts the request again."]);
});

test("an item of a bulk", async () => {
  const item = (rest: object) => ({ items: [{ index: rest }] });
  await repeated({ status: 200, body: item({ status: 429, error: CLOSED }) }, item({ status: 201 }), () =>
    writeBulk(client, [{ index: "t-control", id: "1", document: {} }]),
  );
  expect(reported[0]).toBe(REPORTED);
});

test("a search without all shards", async () => {
  const shards = (successful: number) => ({ count: 1, _shards: { total: 2, successful, failed: 0 } });
  await repeated({ status: 200, body: shards(1) }, shards(2), () =>
    retryForever(async () => wholeAnswer(await client.count({ index: "t-records" }))),
  );
  expect(reported[0]).toBe(
    "Elasticsearch refused or failed a request (a search timed out or a shard did not answer); waiting …",
  );
});

test("a failure that ends the command is not announced as a wait", async () => {
  answer = { status: 429, body: { error: CLOSED, status: 429 } };
  await expect(client.index({ index: "t-control", document: {} })).rejects.toThrow("cluster_block_exception");
  expect(reported).toEqual([]);
});
