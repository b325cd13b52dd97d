import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { dealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import { beforeAll, expect, test } from "vitest";
import type { Endpoint as Documented } from "../../apps/api/endpoints/endpoint.ts";
import { createEndpoints } from "../../apps/api/endpoints/endpoints.ts";
import { encodeCursor } from "@tranche/read-models/query/cursor";
import { listDigest, seal } from "@tranche/read-models/query/sealed";
import { decodePosition, encodePosition } from "../../libs/read-models/feed/position-text.ts";
import { COMPANIES_SORTS } from "../../libs/read-models/parameters/companies.ts";
import { FUNDING_SORTS } from "../../libs/read-models/parameters/funding.ts";
import { INVESTORS_SORTS } from "../../libs/read-models/parameters/investors.ts";
import { SIGNALS_SORTS } from "../../libs/read-models/parameters/signals.ts";
import { plansWithoutLimits } from "../support/plans-file.ts";
import { storeWorld } from "../support/store-world.ts";
import { withService } from "../support/with-service.ts";
import { makeInvestors, makeWorld, randomNumbers } from "../support/world.ts";

const REQUESTS = 10_000;
/** An account may have two exports at once, so they are asked for one after another. */
const EXPORTED = 200;
/** Requests before time counts: an engine that has just started is slow at first. */
const WARM_UP = 1000;
const AT_ONCE = 16;
/** Sixteen at once, while other tests run. */
const SLOWEST_MS = 3000;
/** An export is the whole list, and may wait for others. */
const SLOWEST_EXPORT_MS = 10_000;

/** All endpoints with an example of each parameter, but for `wait`, which may take seconds. */
const ENDPOINTS = Object.values<Documented>(createEndpoints(dealTypes())).map(({ path, parameters, id }) => ({
  path: path.slice("/api/v1".length),
  parameters: Object.entries(parameters).flatMap(([name, { example }]) => (name === "wait" ? [] : [{ name, example }])),
  id: id?.example,
}));
type Endpoint = (typeof ENDPOINTS)[number];
const SORTS: Record<string, object> = {
  "/funding": FUNDING_SORTS,
  "/signals": SIGNALS_SORTS,
  "/companies": COMPANIES_SORTS,
  "/investors": INVESTORS_SORTS,
};
const LISTS = ENDPOINTS.filter(({ path }) => Object.hasOwn(SORTS, path));
const EXPORTS = ENDPOINTS.filter(({ path }) => path.endsWith("/export"));
const OTHERS = ENDPOINTS.filter((endpoint) => !LISTS.includes(endpoint) && !EXPORTS.includes(endpoint));
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

/** Values of positions: each fits some order at most, and few are those of a row. */
const VALUES = [
  [null, 0, -1, 0.1, 1e308, 5e-324, 2 ** 31 - 2, 2 ** 31, -(2 ** 31) + 2, 2 ** 53, 999_999_999_999_999],
  ["", "a", "2013-02-28", "2013-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "北京", "\u{10FFFF}", "\uD800"],
  ["z".repeat(1000), "～".repeat(2000)],
].flat();
/** Positions that no cursor of the API has. */
const TEXTS = ["n1e5\0a", "nNaN\0a", "nInfinity\0a", "n\0a", "m0\0a", "m\0", "t\0a\0b", "tx", "q\0a", "c\0a", "cz\0a"];
const IDS = ["a", "r-a.5", " ", "../..", "😀".repeat(100), "x".repeat(600), "\uD800"];

const { service, engines } = withService({ env: { TRANCHE_PLANS_FILE: plansWithoutLimits() } });
let key: string;
beforeAll(async () => {
  await storeWorld(engines, service.namespace, { ...makeWorld(2000, 5), investors: makeInvestors(200, 6) });
  // Feeds of changes need an indexer.
  await Promise.all([service.startApi(), service.startIndexer()]);
  key = await service.key();
});

const random = randomNumbers(7);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!;
const value = () => Array.from({ length: 1 + Math.floor(random() ** 3 * 30) }, () => pick(PIECES)).join("");

/** Parameters of an endpoint: most of their values are nonsense, some begin well. */
const query = ({ parameters }: Endpoint) =>
  Array.from({ length: 1 + Math.floor(random() * 4) }, () => {
    const { name, example } =
      parameters.length > 0 && random() < 0.9 ? pick(parameters) : { name: value(), example: "" };
    const sense = random() < 0.5 ? encodeURIComponent(example) : "";
    return `${name}${random() < 0.97 ? "=" : ""}${sense}${sense !== "" && random() < 0.7 ? "" : value()}`;
  }).join("&");
const addressed = (endpoint: Endpoint) => {
  const id = random() < 0.2 ? endpoint.id : value().replaceAll(/[?#&]/g, "");
  return `${endpoint.path.replace("{id}", () => id ?? "")}?${query(endpoint)}`;
};

/** Cursors of every list in every order, with a checksum and a digest that are right. */
const cursors = () =>
  LISTS.flatMap(({ path }) =>
    Object.keys(SORTS[path]!).flatMap((sort) => {
      const filtered = random() < 0.5;
      const digest = listDigest(`/api/v1${path}`, filtered ? { country: ["US"], sort } : { sort });
      const made = [
        ...VALUES.map((at) => encodeCursor({ digest, position: { value: at, id: pick(IDS) } })),
        ...TEXTS.map((text) => seal(1, { digest, text })),
      ];
      return made.map((cursor) => `${path}?${filtered ? "country=US&" : ""}sort=${sort}&limit=5&cursor=${cursor}`);
    }),
  );

/** What a feed answers once it can. */
async function firstAnswer(path: string): Promise<string> {
  for (;;) {
    const { status, body } = await get(undefined, path);
    if (status === 200) return body;
    await pause(50);
  }
}

/** Positions in feeds with a checksum, a digest and, mostly, an epoch that are right. */
async function positions(): Promise<string[]> {
  const feeds = ["/funding/changes", "/signals/changes"];
  const made = feeds.map(async (path) => {
    const body = await firstAnswer(path);
    const { digest, position } = decodePosition((JSON.parse(body) as { next: string }).next)!;
    const ticket = () => pick([0, 1, position.asof - 1, position.asof, position.asof + 1e9, Number.MAX_SAFE_INTEGER]);
    return Array.from({ length: 100 }, () => {
      const epoch = random() < 0.8 ? position.epoch : pick(["x", "9".repeat(500)]);
      const at = { epoch, asof: ticket(), changed: ticket(), known: ticket(), id: pick(["", ...IDS]) };
      return `${path}?limit=5&since=${encodePosition({ digest, position: at })}`;
    });
  });
  return (await Promise.all(made)).flat();
}

test("no request that makes no sense brings the service down, makes it say a fault is its own, or takes a second", async () => {
  const crafted = [...cursors(), ...(await positions())];
  const paths = Array.from({ length: REQUESTS + WARM_UP - crafted.length }, () => {
    const kind = random();
    if (kind < 0.7) return addressed(pick(LISTS));
    return kind < 0.98 ? addressed(pick(OTHERS)) : `/x/${addressed(pick(OTHERS))}`;
  });
  // Warming up takes those at the end.
  paths.unshift(...crafted);
  const exported = Array.from({ length: EXPORTED }, () => addressed(pick(EXPORTS)));

  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE + 1 });
  const seen: Record<string, Set<number>> = {};
  let refused = 0;
  const wrong: string[] = [];
  const worker = async (left: string[]) => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      let start = performance.now();
      let answer = await get(agent, path);
      // Of statistics and searches by name, an account may have four at once.
      while (answer.status === 429) {
        await pause(1000);
        start = performance.now();
        answer = await get(agent, path);
      }
      const ms = performance.now() - start;
      const { status, body } = answer;
      const exporting = left === exported;
      const kind = exporting ? "export" : (/&(cursor|since)=[\w-]{24}/.exec(path)?.[1] ?? "other");
      seen[kind] = new Set([...(seen[kind] ?? []), status]);
      refused += status === 400 ? 1 : 0;
      const explained =
        status === 200 || /^\{"error":\{"code":"[a-z_]+","message":".+","request_id":"[^"]+"\}\}$/s.test(body);
      const slow = ms > (exporting ? SLOWEST_EXPORT_MS : SLOWEST_MS) && paths.length < REQUESTS;
      if (status >= 500 || !explained || slow)
        wrong.push(`${status} in ${Math.round(ms)} ms, ${paths.length} to go: ${path} ${body.slice(0, 200)}`);
    }
  };
  await Promise.all([...Array.from({ length: AT_ONCE }, () => worker(paths)), worker(exported)]);
  agent.destroy();
  expect(wrong).toEqual([]);
  expect(seen).toEqual({
    other: new Set([200, 400, 404]),
    // Of a look-up that finds nothing, too.
    cursor: new Set([200, 400, 404]),
    // Positions of another epoch are no longer good.
    since: new Set([200, 410]),
    export: new Set([200, 400]),
  });
  expect(refused).toBeGreaterThan(REQUESTS / 2);
}, 300_000);

/** One request with its path sent as it is. */
function get(agent: Agent | undefined, path: string): Promise<{ status: number; body: string }> {
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
