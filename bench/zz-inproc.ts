import { IncomingMessage, ServerResponse } from "node:http";
import { Duplex } from "node:stream";
import { Socket } from "node:net";
import { pino } from "pino";
import { createApp } from "../apps/api/app.ts";
import { createAdmission } from "../apps/api/admission/admission.ts";
import { createCounts } from "../apps/api/cache/counts.ts";
import { createRemembered } from "../apps/api/cache/remembered.ts";
import { createPager } from "../apps/api/search/pager.ts";
import { createMetrics } from "../apps/api/serve/metrics.ts";
import { createUnknownItems } from "../apps/api/search/unknown-items.ts";
import { createGenerations } from "../apps/api/cache/generations.ts";
import { indexNames } from "@tranche/shared/search/indices";
import { dealTypes } from "@tranche/shared/vocabulary/deal-types";
import { newApiKey } from "@tranche/shared/accounts/api-key";
import { createWorld } from "./data/world.ts";
import { hotRequests } from "./benchmarks/search-hot.ts";
import { createDerivation } from "./data/documents.ts";

const world = createWorld(10000);
const log = pino({ level: "warn" });
const names = indexNames("x");
const key = newApiKey("abcdefgh");
const redis: any = {
  status: "ready", on() {}, defineCommand() {}, ping: async () => "PONG",
  admit: async () => ["admitted", "scale", "keyid", "", Date.now(), 1, Math.floor(Date.now()/1000), 1e9, 5, Math.floor(Date.now()/1000)+60, 1e12, 5, 1798761600],
  get: async () => "123", correct: async () => null, pipeline() { return this; }, hincrby() { return this; }, expire() { return this; }, exec: async () => [],
};
const metrics = createMetrics();
const admission = createAdmission({ redis, namespace: "x", accounts: { noteUses: async () => {} } as any, plans: () => ({ scale: { name: "Scale", max_limit: 50, burst: 1e9, quota: 1e12 } }), processes: 1, metrics, log, now: Date.now });
const docs = createDerivation(world, names, 1)([...world.families()].slice(0, 200)).funding;
const search: any = async (_i: string, body: any) => ({ count: 1000, documents: body.size === 0 ? [] : docs.slice(0, 10), aggregations: { items: { buckets: [{ doc_count: 3 }] } } });
const app = createApp({
  names, dealTypes: dealTypes(), search, unknownItems: createUnknownItems(search), admit: admission.admit, settled: admission.settled,
  generation: createGenerations(redis, "x", admission),
  page: createPager({ search, counts: createCounts(), ladders: createRemembered({ maxBytes: 1e7, bytesOf: () => 100 }) }),
  pages: createRemembered({ maxBytes: 64e6, bytesOf: (a: any) => a.body.length }), now: Date.now, ready: async () => {}, log,
} as any, metrics);
const callback = app.callback();
const { next } = hotRequests(world, 1);
const rawHeaders = ["host", "127.0.0.1:3000", "connection", "keep-alive", "authorization", `Bearer ${key}`];
const sink = new Duplex({ read() {}, write(_c, _e, cb) { cb(); }, writev(_c, cb) { cb(); } }) as any; sink.remoteAddress = "127.0.0.1"; sink._httpMessage = null;
sink.setMaxListeners(0);
let status = 0;
const one = () => new Promise<void>((resolve) => {
  const req = new IncomingMessage(sink); req.method = "GET"; req.url = `/api/v1/funding?${next()}`; req.httpVersion = "1.1"; req.httpVersionMajor = 1; req.httpVersionMinor = 1;
  req.rawHeaders = rawHeaders; (req as any).headers = { host: "127.0.0.1:3000", connection: "keep-alive", authorization: `Bearer ${key}` }; req.push(null);
  const res = new ServerResponse(req); res.assignSocket(sink as Socket);
  res.on("finish", () => { status = res.statusCode; res.detachSocket(sink as Socket); resolve(); });
  void callback(req, res);
});
const N = Number(process.argv[2] ?? 30000);
for (let i = 0; i < N; i++) await one();
const a = process.cpuUsage();
for (let i = 0; i < N; i++) await one();
const c = process.cpuUsage(a);
console.log("status", status, "user us/req", (c.user / N).toFixed(1), "sys", (c.system / N).toFixed(1));
process.exit(0);
