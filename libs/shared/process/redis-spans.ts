import { tracingChannel } from "node:diagnostics_channel";
import { type Span, SpanKind, SpanStatusCode, trace, type Tracer } from "@opentelemetry/api";

/** The facts that ioredis publishes about a command, the arguments aside. */
type Command = { command: string; serverAddress?: string; serverPort?: number };

/**
 * Makes a span of each Redis command of a traced request, job or command line. It has the name of the command alone: arguments hold
 * hashes of keys.
 */
export function traceRedis(tracer: Tracer): void {
  const spans = new WeakMap<object, Span>();
  tracingChannel<object, Command & { error?: Error }>("ioredis:command").subscribe({
    start(command) {
      if (!trace.getActiveSpan()?.isRecording()) return;
      const { command: name, serverAddress, serverPort } = command;
      const attributes = {
        "db.system.name": "redis",
        "db.operation.name": name,
        ...(serverAddress !== undefined && { "server.address": serverAddress }),
        ...(serverPort !== undefined && { "server.port": serverPort }),
      };
      spans.set(command, tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }));
    },
    end() {},
    asyncStart() {},
    asyncEnd: (command) => spans.get(command)?.end(),
    error: (command) =>
      spans.get(command)?.setStatus({ code: SpanStatusCode.ERROR, message: command.error?.message ?? "" }),
  });
}
