import { createSearchClient } from "@tranche/shared/engines/search/client";
import { afterAll, expect, test } from "vitest";
import { ENGINES } from "../support/engines.ts";
import { openWay, type Way } from "../support/way.ts";
import { withService } from "../support/with-service.ts";
import { company, round } from "../support/writes.ts";

const elasticsearchUrl = ENGINES.elasticsearchUrl;
const urlOf = ({ address }: Way) => `http://${address}`;

const ways = await Promise.all(Array.from({ length: 3 }, () => openWay(elasticsearchUrl)));
const urls = ways.map(urlOf).join(",");
const { service, queues } = withService({ env: { ELASTICSEARCH_URL: urls } });

afterAll(() => {
  for (const way of ways) way.close();
});

test("a node that goes away costs no request, of the API or of a client", async () => {
  await service.startApi({ TRANCHE_CACHE: "off", TRANCHE_READY_GRACE_SECONDS: "0" });
  const headers = { Authorization: `Bearer ${await service.key()}` };
  const client = createSearchClient({ url: urls }, { connections: 4, requestTimeoutMs: 10_000 });
  const statuses = new Set<number>();
  for (let n = 0; n < 60; n++) {
    if (n === 15) ways[0]!.close();
    if (n === 35) ways[2]!.close();
    const [answer, bulk] = await Promise.all([
      fetch(`${service.base}/funding?min_amount_usd=${n}`, { headers }),
      client.bulk({
        operations: [{ index: { _index: `${service.namespace}-control`, _id: `n-${n}` } }, { kind: "n" }],
      }),
    ]);
    statuses.add(answer.status);
    expect(bulk.errors).toBe(false);
  }
  expect([...statuses]).toEqual([200]);
  await client.close();
});

test("with no node left, requests are refused as before", async () => {
  ways[1]!.close();
  const headers = { Authorization: `Bearer trn_${"0".repeat(8)}_${"0".repeat(38)}` };
  expect((await fetch(`${service.base}/funding`, { headers })).status).toBe(401);
  const ready = async () => (await fetch(service.base.replace("/api/v1", "/health/ready"))).status;
  await expect.poll(ready).toBe(503);
});

test("a host that vanishes costs no request, and ingest continues long before the time limit of a request", async () => {
  const [vanishing, staying] = await Promise.all([openWay(elasticsearchUrl), openWay(elasticsearchUrl)]);
  const env = { ELASTICSEARCH_URL: `${urlOf(vanishing)},${urlOf(staying)}` };
  await service.startApi({ ...env, TRANCHE_CACHE: "off" });
  await service.startIndexer(env);
  service.env["ELASTICSEARCH_URL"] = elasticsearchUrl;
  const headers = { Authorization: `Bearer ${await service.key()}` };
  const ask = async (n: number) =>
    (await fetch(`${service.base}/funding?min_amount_usd=${n}`, { headers, signal: AbortSignal.timeout(20_000) }))
      .status;
  expect(await Promise.all(Array.from({ length: 8 }, (_, n) => ask(n)))).toEqual(Array.from({ length: 8 }, () => 200));
  await queues.send([company(1, "co-1"), round(1, "rnd-1", "co-1")]);
  await queues.settled();

  const asked = Array.from({ length: 40 }, (_, n) => ask(100 + n));
  vanishing.vanish();
  await queues.send([round(2, "rnd-1", "co-1")]);
  expect(new Set(await Promise.all(asked))).toEqual(new Set([200]));
  expect(await queues.settled(30_000)).toBeLessThan(25_000);
  await service.stop();
  staying.close();
});
