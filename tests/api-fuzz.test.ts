import { Agent, request } from "node:http";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import { beforeAll, expect, test } from "vitest";
import { fundingParameters } from "../libs/read-models/parameters/funding.ts";
import { signalsParameters } from "../libs/read-models/parameters/signals.ts";
import { plansWithoutLimits } from "./support/plans-file.ts";
import { storeWorld } from "./support/store-world.ts";
import { withService } from "./support/with-service.ts";
import { makeWorld, randomNumbers } from "./support/world.ts";

const REQUESTS = 10_000;
/** Requests before time counts: an engine that has just started is slow at first. */
const WARM_UP = 500;
const AT_ONCE = 16;
const SLOWEST_MS = 1000;

const PARAMETERS = {
  funding: Object.keys(fundingParameters(dealTypes())),
  signals: Object.keys(signalsParameters(dealTypes())),
};
/** Pieces that values are made of: each is harmless in some place and wrong in another. */
const PIECES = [
  ...Array.from("%,\"'+-_.;:/\\|[]{}()<>*?~^$@!`=&#019aZ"),
  ..."%00 %0a %FF %C3%BC %F0%9F%9A%80 %ED%A0%80 %2C %22 %2B %25 %zz %u0041 && &a= &limit=".split(" "),
  ..."US Germany !US !seed !%22 true seed Series+A just_raised Sequoia C%2B%2B C++ 2013-01-01 2024-02-30 0000-00-00".split(
    " ",
  ),
  ..."1e6 0x10 NaN -1 999999999999999 9999999999999999999 any all flat amount_desc __proto__".split(" "),
  ..."*:* _exists_ ../.. ${7*7} {{7*7}} %27%20OR%201%3D1 %EF%BB%BF %E2%80%AE".split(" "),
  "a".repeat(60),
  "%CC%81".repeat(20),
];

const { service, engines } = withService({ env: { TRANCHE_PLANS_FILE: plansWithoutLimits() } });
let key: string;
beforeAll(async () => {
  await storeWorld(engines, service.namespace, makeWorld(2000, 5));
  await service.startApi();
  key = await service.key();
}, 120_000);

test("no request that makes no sense brings the service down, makes it say a fault is its own, or takes a second", async () => {
  const random = randomNumbers(7);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
  const value = () => Array.from({ length: 1 + Math.floor(random() ** 3 * 30) }, () => pick(PIECES)).join("");
  const query = (names: readonly string[]) =>
    Array.from(
      { length: 1 + Math.floor(random() * 4) },
      () => `${random() < 0.9 ? pick(names) : value()}${random() < 0.97 ? "=" : ""}${value()}`,
    ).join("&");
  const paths = Array.from({ length: REQUESTS + WARM_UP }, () => {
    const kind = random();
    if (kind < 0.45) return `/funding?${query(PARAMETERS.funding)}`;
    if (kind < 0.9) return `/signals?${query(PARAMETERS.signals)}`;
    return `/${pick(["companies", "investors", "funding", "categories", "x"])}/${value().replaceAll(/[?#&]/g, "")}?${query(["limit", "offset", "cursor"])}`;
  });

  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const seen = new Map<number, number>();
  const wrong: string[] = [];
  const worker = async () => {
    for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
      const start = performance.now();
      const { status, body } = await get(agent, path);
      const ms = performance.now() - start;
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const explained =
        status === 200 || /^\{"error":\{"code":"[a-z_]+","message":".+","request_id":"[^"]+"\}\}$/s.test(body);
      if (status >= 500 || !explained || (ms > SLOWEST_MS && paths.length < REQUESTS))
        wrong.push(`${status} in ${Math.round(ms)} ms, ${paths.length} to go: ${path} ${body.slice(0, 200)}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
  expect(wrong).toEqual([]);
  expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual([200, 400, 404]);
  expect(seen.get(400)).toBeGreaterThan(REQUESTS / 2);
}, 300_000);

/** One request with its path sent as it is. */
function get(agent: Agent, path: string): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
  const { hostname, port, pathname } = new URL(service.base);
  const options = { agent, hostname, port, path: pathname + path, headers: { authorization: `Bearer ${key}` } };
  const sent = request(options, (response) => {
    let body = "";
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => (body += chunk));
    response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
  });
  sent.on("error", reject);
  sent.end();
  return promise;
}
