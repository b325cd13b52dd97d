import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { context, ROOT_CONTEXT, SpanKind, trace, TraceFlags } from "@opentelemetry/api";
import { SamplingDecision } from "@opentelemetry/sdk-trace-node";
import { expect, test } from "vitest";
import { COMMAND, createSampler } from "./trace-sampler.ts";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const parent = (isRemote: boolean, traceFlags: TraceFlags) =>
  trace.setSpanContext(ROOT_CONTEXT, { traceId: TRACE, spanId: "b7ad6b7169203331", isRemote, traceFlags });
const { SAMPLED, NONE } = TraceFlags;

test.each([
  { what: "a request", part: 1, in: ROOT_CONTEXT, kind: SpanKind.SERVER, kept: true },
  { what: "a request where nothing is to be kept", part: 0, in: ROOT_CONTEXT, kind: SpanKind.SERVER, kept: false },
  {
    what: "a request whose caller wants it kept",
    part: 0,
    in: parent(true, SAMPLED),
    kind: SpanKind.SERVER,
    kept: false,
  },
  {
    what: "a request whose caller wants it dropped",
    part: 1,
    in: parent(true, NONE),
    kind: SpanKind.SERVER,
    kept: true,
  },
  { what: "a job of a kept trace", part: 0, in: parent(true, SAMPLED), kind: SpanKind.CONSUMER, kept: true },
  { what: "a job of a dropped trace", part: 1, in: parent(true, NONE), kind: SpanKind.CONSUMER, kept: false },
  { what: "a call in a kept request", part: 0, in: parent(false, SAMPLED), kind: SpanKind.CLIENT, kept: true },
  { what: "a look for jobs", part: 1, in: ROOT_CONTEXT, kind: SpanKind.INTERNAL, kept: false },
])("$what is kept: $kept", ({ part, in: within, kind, kept }) => {
  const { decision } = createSampler(part).shouldSample(within, TRACE, "name", kind, {}, []);
  expect(decision).toBe(kept ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD);
});

test("a command begins a trace", () => {
  const sampler = createSampler(1);
  const sampled = sampler.shouldSample(context.active(), TRACE, "name", SpanKind.INTERNAL, { [COMMAND]: "ops" }, []);
  expect(sampled.decision).toBe(SamplingDecision.RECORD_AND_SAMPLED);
});

/** It loads two programs in a process of its own. */
const WITHIN_MS = 30_000;

test("without a receiver no module of the SDK is loaded", { timeout: WITHIN_MS }, () => {
  const script = `
    const loaded = [];
    require("node:module").registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    Promise.all(["apps/api/process.ts", "apps/indexer/process.ts"].map((file) => import("${PROJECT}" + file)))
      .then(() => import("${PROJECT}libs/shared/process/tracing.ts"))
      .then(({ startTracing }) => startTracing("name", { OTEL_TRACES_SAMPLER_ARG: 1 }, () => {}))
      .then((tracing) => console.log(JSON.stringify({ tracing: tracing ?? null, loaded })));`;
  const printed = execFileSync(process.execPath, ["--eval", script], { cwd: PROJECT, encoding: "utf8" });
  const { tracing, loaded } = JSON.parse(printed) as { tracing: null; loaded: string[] };
  expect(tracing).toBeNull();
  expect(loaded.some((url) => url.includes("/bullmq/"))).toBe(true);
  expect(loaded.filter((url) => /opentelemetry\/(sdk|exporter|otlp)|bullmq-otel/.test(url))).toEqual([]);
});
