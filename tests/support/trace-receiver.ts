import { createServer } from "node:http";
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import protobuf from "protobufjs";

/** The parts of OTLP that are looked at: https://opentelemetry.io/docs/specs/otlp/ */
const { root } = protobuf.parse(`
  syntax = "proto3";
  message Export { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
  message Resource { repeated Attribute attributes = 1; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span { bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6; repeated Attribute attributes = 9; }
  message Attribute { string key = 1; Value value = 2; }
  message Value { string string_value = 1; int64 int_value = 3; }
`);
const Export = root.lookupType("Export");

/** A span as its receiver sees it; ids in hexadecimal. */
export type ReceivedSpan = {
  service: string;
  name: string;
  trace: string;
  id: string;
  /** Empty where a trace begins. */
  parent: string;
  attributes: Record<string, string>;
};

type Attribute = { key: string; value?: { stringValue?: string; intValue?: string } };
type Wire = {
  resourceSpans?: {
    resource?: { attributes?: Attribute[] };
    scopeSpans?: {
      spans?: { traceId: string; spanId: string; parentSpanId?: string; name: string; attributes?: Attribute[] }[];
    }[];
  }[];
};

/** A receiver of OTLP over HTTP, which takes nothing without `authorization`, if given. One that `hangs` reads a request and never answers. */
export async function startTraceReceiver({
  authorization,
  hangs = false,
}: {
  authorization?: string;
  hangs?: boolean;
}) {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    if (hangs) return void request.resume();
    if (request.headers.authorization !== authorization)
      return void request.resume().on("end", () => response.writeHead(401).end());
    void buffer(request).then((body) => {
      spans.push(...spansOf(Export.toObject(Export.decode(body), { longs: String, bytes: String })));
      response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** The first span that passes, when it has come. */
    async span(passes: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan> {
      for (let waited = 0; waited < 15_000; waited += 50) {
        const found = spans.find(passes);
        if (found) return found;
        await pause(50);
      }
      throw new Error(
        `That span did not come. These did: ${JSON.stringify(spans.map(({ service, name }) => [service, name]))}`,
      );
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansOf({ resourceSpans = [] }: Wire): ReceivedSpan[] {
  const hex = (base64 = "") => Buffer.from(base64, "base64").toString("hex");
  return resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const service = valuesOf(resource?.attributes)["service.name"] ?? "";
    return scopeSpans.flatMap(({ spans = [] }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, attributes }) => ({
        service,
        name,
        trace: hex(traceId),
        id: hex(spanId),
        parent: hex(parentSpanId),
        attributes: valuesOf(attributes),
      })),
    );
  });
}

const valuesOf = (attributes: Attribute[] = []): Record<string, string> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value?.stringValue ?? value?.intValue ?? ""]));
