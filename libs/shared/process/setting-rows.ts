import { availableParallelism } from "node:os";
import { z } from "zod";
import { count, hostNames, origins, port, publicUrl, redisUrl, searchEngineUrls, webhookKey } from "./setting-kinds.ts";

export type Row = {
  schema: z.ZodType;
  fallback: string | undefined;
  description: string;
  /** The default in words, where it is not the same everywhere. */ shown?: string;
  /** May hold a password: never shown in an error, and may come from a file. */ secret?: true;
};

/** Every setting. One row: its name in the environment, its default and its effect. */
export const SETTINGS = {
  ELASTICSEARCH_URL: {
    schema: searchEngineUrls,
    fallback: "http://127.0.0.1:9200",
    description:
      "URL of Elasticsearch, or those of several of its nodes, separated by commas; each may include credentials. With several, a node that is away costs no request.",
    secret: true,
  },
  ELASTICSEARCH_API_KEY: {
    schema: z.string().optional(),
    fallback: undefined,
    description: "API key for Elasticsearch, where it asks for one.",
    secret: true,
  },
  ELASTICSEARCH_CA_FILE: {
    schema: z.string().optional(),
    fallback: undefined,
    description: "PEM file of the authority that signed Elasticsearch's certificate, unless the system knows it.",
  },
  REDIS_URL: {
    schema: redisUrl,
    fallback: "redis://127.0.0.1:6379",
    description:
      "URL of Redis; it may include credentials. `redis://host:port`, or several nodes of one Cluster: `redis-cluster://user:password@host:port,host:port`. Sentinels: `redis-sentinel://user:password@host:port,host:port/0?sentinel_password=…#master`. With TLS: `rediss://`, `rediss-cluster://`, `rediss-sentinel://`.",
    secret: true,
  },
  REDIS_CA_FILE: {
    schema: z.string().optional(),
    fallback: undefined,
    description: "PEM file of the authority that signed the certificate of Redis, unless the system knows it.",
  },
  PORT: { schema: port, fallback: "3000", description: "Port of the public API." },
  HOST: { schema: z.string(), fallback: "0.0.0.0", description: "Interface that the public API listens on." },
  TRANCHE_OPERATOR_PORT: {
    schema: port,
    fallback: "3001",
    description: "Port of the operators' process: its pages, and the metrics of the installation.",
  },
  TRANCHE_API_METRICS_PORT: {
    schema: port.optional(),
    fallback: undefined,
    shown: "none",
    description: "Port of the API for metrics of all its processes, on TRANCHE_OPERATOR_HOST.",
  },
  TRANCHE_INDEXER_PORT: {
    schema: port.optional(),
    fallback: undefined,
    shown: "none",
    description:
      "Port of the indexer for health checks and metrics, on TRANCHE_OPERATOR_HOST. Several indexers on one machine need one each.",
  },
  TRANCHE_DASHBOARD_METRICS_PORT: {
    schema: port.optional(),
    fallback: undefined,
    shown: "none",
    description: "Port of the dashboard for metrics, on TRANCHE_OPERATOR_HOST.",
  },
  TRANCHE_OPERATOR_HOST: {
    schema: z.string(),
    fallback: "127.0.0.1",
    description:
      "Interface of the operators' port, and of the ports for health and metrics of the other processes. With anything but loopback the operators' process needs TRANCHE_OPERATOR_TOKEN, with at least 20 characters.",
  },
  TRANCHE_OPERATOR_HOSTS: {
    schema: hostNames.optional().transform((names) => names ?? []),
    fallback: undefined,
    description:
      "Names under which these ports may be called besides their own addresses, separated by commas: `metrics.internal`.",
  },
  TRANCHE_OPERATOR_TOKEN: {
    schema: z
      .string()
      .regex(/^[\x21-\x7e]+$/, "expected ASCII characters without spaces")
      .optional(),
    fallback: undefined,
    description:
      "Token of the operators' port: people sign in with it on `/operators/`; programs send it as `Authorization: Bearer` or as the password of Basic. All pages need it. Only the operators' process reads it: give it to no other.",
    secret: true,
  },
  TRANCHE_API_PROCESSES: {
    schema: count(1),
    fallback: String(availableParallelism()),
    shown: "one per core",
    description: "API processes behind the one port.",
  },
  TRANCHE_READY_GRACE_SECONDS: {
    schema: count(0),
    fallback: "60",
    description:
      "A process of the API or the dashboard that was ready stays ready while its engines fail for less than this. Requests that need them get 503 meanwhile.",
  },
  TRANCHE_SHUTDOWN_DELAY_SECONDS: {
    schema: count(0),
    fallback: "0",
    description:
      "How long the API and the dashboard still take requests after they were asked to end, while `/health/ready` is 503. Behind a load balancer: longer than it takes to notice.",
  },
  TRANCHE_PUBLIC_URL: {
    schema: publicUrl.optional(),
    fallback: undefined,
    shown: "the address of each request",
    description:
      "Address under which callers reach the service, such as `https://api.example.com` or `https://example.com/tranche`: for links and the OpenAPI document. A proxy takes its path off before a request gets here.",
  },
  TRANCHE_MCP_ORIGINS: {
    schema: origins.optional().transform((all) => all ?? []),
    fallback: undefined,
    description:
      "Origins whose pages may send requests to `/mcp`, separated by commas: `https://app.example.com`. Those of this service and, on one machine, of loopback always may. Assistants that are programs send no Origin.",
  },
  TRANCHE_DASHBOARD_PORT: {
    schema: port,
    fallback: "3002",
    description: "Port of the dashboard, which listens on HOST.",
  },
  TRANCHE_DASHBOARD_URL: {
    schema: publicUrl.optional(),
    fallback: undefined,
    shown: "TRANCHE_PUBLIC_URL with `/dashboard`",
    description:
      "Address under which people reach the dashboard, with its path `/dashboard`: for sign-in links, and to connect applications by OAuth. Set it where the dashboard has a host or port of its own.",
  },
  TRANCHE_OAUTH_REGISTRATION: {
    schema: z.enum(["off", "on"]),
    fallback: "off",
    description:
      "Whether applications that have no document about themselves may register to be connected by OAuth: 20 a day from an IP address, forgotten after a day unless somebody connects them. The same for the API and the dashboard.",
  },
  TRANCHE_API_URL: {
    schema: publicUrl,
    fallback: "http://127.0.0.1:3000",
    description: "Address under which the dashboard itself reaches the API, without a path.",
  },
  TRANCHE_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/, error: "expected an address such as smtp://mail.internal:587" }).optional(),
    fallback: undefined,
    description:
      "Mail server for sign-in links: `smtp://user:password@host:587` or `smtps://…:465`; `?requireTLS=true` insists on STARTTLS. Without it, links come from operators and members.",
    secret: true,
  },
  TRANCHE_MAIL_FROM: {
    schema: z
      .string()
      .regex(/^[^\r\n]{1,300}$/, "expected a sender such as Tranche <tranche@example.com>")
      .optional(),
    fallback: undefined,
    description: "Sender of mails, such as `Tranche <tranche@example.com>`. TRANCHE_SMTP_URL needs it.",
  },
  TRANCHE_TRUSTED_PROXIES: {
    schema: count(0),
    fallback: "0",
    description:
      "Proxies in front of the API whose X-Forwarded-For is believed. 0: the address of a caller is that of the connection.",
  },
  TRANCHE_MAX_CONNECTIONS: {
    schema: count(1),
    fallback: "4000",
    description: "Connections that one API process keeps open at once.",
  },
  TRANCHE_NAMESPACE: {
    schema: z.string().regex(/^[a-z][a-z0-9_]{0,29}$/, "expected lower-case letters, digits and _"),
    fallback: "tranche",
    description: "Prefix of all index names and Redis keys, so that installations can share engines.",
  },
  TRANCHE_NOW: {
    schema: z.iso.datetime({ offset: true, error: "expected a time such as 2025-06-15T12:00:00Z" }).optional(),
    fallback: undefined,
    description: "A fixed clock for signals and dates. Limits and keys always use real time.",
  },
  TRANCHE_PLANS_FILE: {
    schema: z.string().optional(),
    fallback: undefined,
    description:
      'JSON file of plans; without it the built-in ones hold. `"export": false` in a plan refuses exports; without the member they are allowed.',
  },
  TRANCHE_VOCABULARY_FILE: {
    schema: z.string().optional(),
    fallback: undefined,
    description: 'JSON file that adds deal types: {"types": [], "aliases": {}}.',
  },
  TRANCHE_WEBHOOK_KEY: {
    schema: webhookKey.optional(),
    fallback: undefined,
    shown: "none: webhooks are off",
    description:
      "Key that the secrets of webhooks and the addresses of follows in Slack are stored with: 32 bytes as base64, the same for the indexers, the dashboard and `ops`. `openssl rand -base64 32` makes one.",
    secret: true,
  },
  TRANCHE_WEBHOOK_TARGETS: {
    schema: z.enum(["public", "any"]),
    fallback: "public",
    description:
      "Where webhooks and messages for Slack may be sent, and from where documents about applications are read: public (HTTPS on ports 443 and 8443, to public addresses) or, for development only, any.",
  },
  TRANCHE_REDIS_REPLICAS_TO_WAIT: {
    schema: count(0),
    fallback: "0",
    description:
      "Replicas of Redis that must have each job of `ops ingest` before the next is sent. Without them a failover may lose acknowledged writes, which is then reported.",
  },
  TRANCHE_SHARDS: {
    schema: count(1),
    fallback: "1",
    description:
      "Shards of each new index of records and of a read model. Another number takes a move to another namespace: see docs/operations.md.",
  },
  TRANCHE_REPLICAS: {
    schema: count(0),
    fallback: "0",
    description:
      "Replicas of every index. An indexer that starts adds those that existing indices lack. It removes none: lower `number_of_replicas` in Elasticsearch.",
  },
  TRANCHE_INDEXER_CONCURRENCY: {
    schema: count(1),
    fallback: "64",
    description:
      "Ingest jobs that one indexer process takes at once; waiting ones are combined into one batch. The indexers that stand by help the leader when this many wait.",
  },
  TRANCHE_INGEST_LEADER: {
    schema: z.enum(["on", "off"]),
    fallback: "on",
    description:
      "Whether one of several indexers takes the ingest jobs of a small stream, so that together they refresh and announce about once per second: on or off. Set it alike for all indexers.",
  },
  TRANCHE_PAUSES: {
    schema: z.coerce.number("expected a number such as 0.1").min(0.01).max(1),
    fallback: "1",
    description:
      "Which part of its usual pauses a process makes between batches, between looks and between writes of counts, from 0.01 to 1. Tests use 0.1: writes are visible sooner, and the engines have more to do.",
  },
  TRANCHE_STUCK_AFTER_SECONDS: {
    schema: count(5),
    fallback: "300",
    description:
      "An indexer that makes no progress with its work for this time is not live, although both engines answer; it ends after another fifth of this.",
  },
  TRANCHE_ROLLBACK_HOURS: {
    schema: count(0),
    fallback: "24",
    description:
      "How long `ops rollback` can undo a rebuild. Until then every write also goes to the previous indices.",
  },
  TRANCHE_CACHE: {
    schema: z.enum(["on", "without-front", "off"]),
    fallback: "on",
    description:
      "Whether API processes reuse pages and counts until the documents change: on, off, or without-front, which leaves out the cache in front of Koa (docs/caching.md).",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.url({ protocol: /^https?$/, error: "expected an address such as http://collector:4318" }).optional(),
    fallback: undefined,
    description:
      "Receiver of traces, by OTLP over HTTP, such as `http://collector:4318`. All processes and `ops` then trace requests and jobs, see docs/operations.md. Other variables of OpenTelemetry's exporter hold too, such as `OTEL_RESOURCE_ATTRIBUTES`.",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().optional(),
    fallback: undefined,
    description:
      "Headers for the receiver of traces, such as `authorization=Bearer%20…`; several are separated by commas.",
    secret: true,
  },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z.coerce.number("expected a number").min(0).max(1),
    fallback: "1",
    description: "The part of the requests and of the commands of `ops` that is traced, from 0 to 1.",
  },
  TRANCHE_LOG_LEVEL: {
    schema: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]),
    fallback: "info",
    description: "The lowest level that is logged: fatal, error, warn, info, debug, trace or silent.",
  },
} as const satisfies Record<string, Row>;
