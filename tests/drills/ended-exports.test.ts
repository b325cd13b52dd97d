import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { openResponse } from "../support/open-response.ts";
import { plansWithoutLimits } from "../support/plans-file.ts";
import { storeWorld } from "../support/store-world.ts";
import { withService } from "../support/with-service.ts";
import { makeWorld } from "../support/world.ts";

/** Far more than the buffers of a connection hold, so that an export is under way until it is read. */
const SIZE = 40_000;
/** An export costs a request for each 1,000 rows. */
const PRICE = SIZE / 1000;

const { engines, service } = withService({ env: { TRANCHE_PLANS_FILE: plansWithoutLimits() } });
/** Its process stays. */
let other: string;

beforeAll(async () => {
  await storeWorld(engines, service.namespace, { rounds: makeWorld(SIZE, 20_131_101).rounds, companies: [] });
  await service.startApi();
  other = service.base;
}, 240_000);

const headersOf = (key: string) => ({ authorization: `Bearer ${key}` });
async function monthUsed(key: string): Promise<number> {
  const response = await fetch(`${other}/usage`, { headers: headersOf(key) });
  return ((await response.json()) as { data: { month: { used: number } } }).data.month.used;
}
/** An export of which nothing is read, of a process that then gets this signal and ends. */
async function ended(key: string, signal: NodeJS.Signals): Promise<IncomingMessage> {
  const api = await service.startApi();
  const response = await openResponse(`${service.base}/funding/export`, { headers: headersOf(key) });
  response.on("error", () => {});
  response.pause();
  expect(await monthUsed(key)).toBe(PRICE);
  api.kill(signal);
  await once(api, "exit");
  return response;
}

test("an export whose process shuts down is cut off and given back", async () => {
  const key = await service.key();
  const response = await ended(key, "SIGTERM");
  await expect(text(response)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect(await monthUsed(key)).toBeLessThan(PRICE);
});

test("what a killed process has charged for rows that it did not send is given back", async () => {
  const key = await service.key();
  await ended(key, "SIGKILL");
  // Its lease ends after 30 seconds, and another process looks every 20. The one request that it was admitted for stays charged.
  await expect.poll(() => monthUsed(key), { timeout: 120_000, interval: 1000 }).toBe(1);
});
