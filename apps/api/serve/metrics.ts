import cluster from "node:cluster";
import { createProcessRegistry } from "@tranche/operations/metrics/registry";
import { AggregatorRegistry, Counter, Gauge, Histogram, type Registry } from "prom-client";
import { createTally } from "./tally.ts";

/** How an export ended. `left`: its reader closed the connection; the others were cut off. */
export type ExportOutcome = "finished" | "left" | "failed" | "slow" | "long" | "shutdown";

/** Where an answer came from that can be cached: the cache in front of the app, the cache of pages, or the search engine. */
type AnsweredFrom = "front" | "pages" | "search";

export type Metrics = {
  registry: Registry;
  /** One answered request; `route` is a pattern, never a path with ids in it. */
  request(labels: { route: string; method: string; status: number }, seconds: number): void;
  /** One call of the search engine. */
  search: (seconds: number) => void;
  /** One answer that can be cached, by the cache that had it, if one did. */
  listAnswer: Record<AnsweredFrom, () => void>;
  /** An export begins to send; the function that is returned is called when it ends. Bytes are those before compression. */
  exportBegins: (route: string) => (outcome: ExportOutcome, sent: { rows: number; bytes: number }) => void;
  /** One decision of admission: by Redis or, while that is away, by this process. */
  admission: (verdict: string, by: "redis" | "process") => void;
  /** Redis went away, or came back. */
  redisAway: (away: boolean) => void;
};

/** Metrics of all API processes, summed; for the supervising process. */
export function metricsOfAll(): () => Promise<string> {
  const all = new AggregatorRegistry();
  return () => all.clusterMetrics();
}

/** The metrics of this process. If there are several processes, the supervising one collects them. */
export function createMetrics(namespace: string): Metrics {
  const registry = createProcessRegistry(namespace);
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries([registry]);
    // Replies to the supervising process.
    void new AggregatorRegistry();
  }
  const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const registers = [registry];
  const requests = createTally({
    name: "tranche_http_requests_total",
    help: "Answered requests",
    labelNames: ["route", "method", "status"],
    registers,
  });
  const durations = new Histogram({
    name: "tranche_http_request_seconds",
    help: "Time from the request to its answer",
    labelNames: ["route"],
    buckets,
    registers,
  });
  const searches = new Histogram({
    name: "tranche_search_seconds",
    help: "Time of one call of the search engine",
    buckets,
    registers,
  });
  const admissions = createTally({
    name: "tranche_admissions_total",
    help: "Decisions of admission",
    labelNames: ["verdict", "by"],
    registers,
  });
  const listAnswers = createTally({
    name: "tranche_list_answers_total",
    help: "Answers of lists, statistics and searches by name, by the cache that had them: front or pages, otherwise search",
    labelNames: ["from"],
    registers,
  });
  const exportsUnderWay = new Gauge({
    name: "tranche_exports_under_way",
    help: "Exports that are being sent",
    registers,
  });
  const exportsEnded = new Counter({
    name: "tranche_exports_total",
    help: "Exports that have ended, by how",
    labelNames: ["route", "outcome"],
    registers,
  });
  const exportedRows = new Counter({
    name: "tranche_export_rows_total",
    help: "Rows sent by exports",
    labelNames: ["route"],
    registers,
  });
  const exportedBytes = new Counter({
    name: "tranche_export_bytes_total",
    help: "Bytes sent by exports, before compression",
    labelNames: ["route"],
    registers,
  });
  const away = new Gauge({
    name: "tranche_redis_away",
    help: "1 while Redis is away, else 0",
    aggregator: "max",
    registers,
  });
  const outages = new Counter({ name: "tranche_redis_outages_total", help: "Times Redis went away", registers });
  // Looking up a series costs more than counting, so each is looked up once. There are few: route patterns, methods that the parser
  // knows, our statuses and verdicts.
  const requestsOf = remembering((route: string, method: string, status: number) => ({
    count: requests(route, method, String(status)),
    duration: durations.labels(route),
  }));
  const admissionsOf = remembering((verdict: string, by: string) => admissions(verdict, by));
  return {
    registry,
    request({ route, method, status }, seconds) {
      const { count, duration } = requestsOf(route, method, status);
      count();
      duration.observe(seconds);
    },
    search: (seconds) => searches.observe(seconds),
    listAnswer: { front: listAnswers("front"), pages: listAnswers("pages"), search: listAnswers("search") },
    exportBegins(route) {
      exportsUnderWay.inc();
      return (outcome, { rows, bytes }) => {
        exportsUnderWay.dec();
        exportsEnded.inc({ route, outcome });
        exportedRows.inc({ route }, rows);
        exportedBytes.inc({ route }, bytes);
      };
    },
    admission: (verdict, by) => admissionsOf(verdict, by)(),
    redisAway(isAway) {
      away.set(isAway ? 1 : 0);
      if (isAway) outages.inc();
    },
  };
}

/** Creates the value of each set of labels once. */
function remembering<T>(make: (a: string, b: string, c: number) => T) {
  const made = new Map<string, T>();
  return (a: string, b: string, c = 0): T => {
    const id = `${a} ${b} ${c}`;
    let found = made.get(id);
    if (found === undefined) made.set(id, (found = make(a, b, c)));
    return found;
  };
}
