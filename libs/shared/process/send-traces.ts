import { diag, DiagLogLevel, SpanStatusCode, trace } from "@opentelemetry/api";
import { parseKeyPairsIntoRecord } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import type { Telemetry } from "bullmq";
import { BullMQOtel } from "bullmq-otel";
import { VERSION } from "./build.ts";
import { traceRedis } from "./redis-spans.ts";
import { withTimeLimit } from "./time-limit.ts";
import { COMMAND, createSampler } from "./trace-sampler.ts";

/** Spans of a process, on their way to a receiver. */
export type Tracing = {
  /** For queues and workers: the context of a job travels with it. */
  telemetry: Telemetry;
  /** Does `work` as the root of a trace. */
  command<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends the spans that are left, for two seconds at most. Never rejects. */
  close: () => Promise<void>;
};

/** A batch that takes longer is dropped. */
const SEND_WITHIN_MS = 2000;
const CLOSE_WITHIN_MS = 2000;
const WARN_EVERY_MS = 60_000;

/**
 * Makes spans of Elasticsearch's client, of Redis, of queues and of our own, and sends them in the background as OTLP. A receiver that
 * hangs costs a bounded queue, whose new spans are dropped. `part` of the traces that begin here is kept. `headers`, as in the exporter's own variable, may come from a file that it knows nothing about.
 */
export function sendTraces({
  service,
  endpoint,
  headers,
  part,
  warn,
}: {
  service: string;
  endpoint: string;
  headers: string | undefined;
  part: number;
  warn: (reason: string) => void;
}): Tracing {
  reportTo(warn);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers: parseKeyPairsIntoRecord(headers),
    timeoutMillis: SEND_WITHIN_MS,
  });
  const own = resourceFromAttributes({ "service.name": service, "service.version": VERSION });
  const provider = new NodeTracerProvider({
    // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES count more.
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    sampler: createSampler(part),
    spanProcessors: [new BatchSpanProcessor(exporter, { exportTimeoutMillis: SEND_WITHIN_MS })],
  });
  provider.register();
  const tracer = trace.getTracer("tranche", VERSION);
  traceRedis(tracer);
  return {
    telemetry: new BullMQOtel({ tracerName: "bullmq" }),
    command: (name, work) =>
      tracer.startActiveSpan(name, { attributes: { [COMMAND]: name } }, async (span) => {
        try {
          return await work();
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).message });
          throw error;
        } finally {
          span.end();
        }
      }),
    close: () => withTimeLimit(provider.shutdown(), CLOSE_WITHIN_MS).catch(() => {}),
  };
}

function reportTo(warn: (reason: string) => void): void {
  let warned = -Infinity;
  const report = (message: string) => {
    if (performance.now() - warned < WARN_EVERY_MS) return;
    warned = performance.now();
    warn(messageOf(message));
  };
  const quiet = () => {};
  diag.setLogger(
    { error: report, warn: report, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

/** The SDK reports an error as JSON with its stack. */
function messageOf(report: string): string {
  try {
    return (JSON.parse(report) as { message?: string }).message ?? report;
  } catch {
    return report;
  }
}
