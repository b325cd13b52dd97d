import { readFileSync } from "node:fs";
import { Client } from "@elastic/elasticsearch";
import { ForgettingTransport } from "./transport.ts";
import { WatchedConnection } from "./watched-connection.ts";

/** `url`: of one node or of several, separated by commas. `caFile`: PEM file of the authority that signed the engine's certificate, where the system does not know it. */
export type SearchEngineAddress = { url: string; apiKey?: string | undefined; caFile?: string | undefined };

/**
 * A client of Elasticsearch with a bounded pool of kept-alive connections to each node.
 * A request that one node does not take goes to the next one, which every write allows: its version or its id decides. Otherwise the
 * client does not retry by itself: callers know what may be sent again, and for how long.
 * `requestTimeoutMs` bounds each request. A request to a host that has vanished fails within 8 s (watched-connection.ts).
 */
export function createSearchClient(
  address: SearchEngineAddress,
  options: { connections: number; requestTimeoutMs: number },
): Client {
  const nodes = address.url.split(",");
  return new Client({
    nodes,
    Transport: ForgettingTransport,
    Connection: WatchedConnection,
    ...(address.apiKey ? { auth: { apiKey: address.apiKey } } : {}),
    ...(address.caFile ? { tls: { ca: readFileSync(address.caFile) } } : {}),
    maxRetries: nodes.length - 1,
    requestTimeout: options.requestTimeoutMs,
    agent: { connections: options.connections, keepAliveTimeout: 60_000 },
    // Responses are copied field by field and never merged into other objects, so a field named __proto__ is harmless. The client's
    // check for it takes as long as parsing.
    disablePrototypePoisoningProtection: true,
    // The engine's own advice headers are for its browser tools.
    enableMetaHeader: false,
    // Errors omit the request's headers. The other redaction mode would copy the whole request, also the bytes of a bulk.
    redaction: { type: "remove" },
  });
}

/** The kinds of failures of the search engine that callers distinguish. */
type SearchFailureKind = "away" | "busy" | "refused";

/** `away`: no answer, or none in time; `busy`: 429 or 5xx, later it may work; `refused`: the request itself is wrong. */
export function searchFailureKind(error: unknown): SearchFailureKind {
  const status = (error as { meta?: { statusCode?: number | null } }).meta?.statusCode;
  if (!status) return "away";
  return status === 429 || status >= 500 ? "busy" : "refused";
}

/** Errors of the client carry `meta`, or are one of its own connection errors. */
export function isEngineError(error: Error): boolean {
  return "meta" in error || ["ConnectionError", "TimeoutError", "NoLivingConnectionsError"].includes(error.name);
}

/** The reason that Elasticsearch gives for a refused request; undefined for any other error. */
export function refusalOf(error: unknown): { type: string; reason: string } | undefined {
  if (!isEngineError(error as Error) || searchFailureKind(error) !== "refused") return undefined;
  type Body = { error?: { type?: string; reason?: string } };
  const { type = "refused", reason } = (error as { meta: { body?: Body } }).meta.body?.error ?? {};
  return { type, reason: reason ?? (error as Error).message };
}
