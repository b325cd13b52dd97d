import { createProcessRegistry } from "@tranche/operations/metrics/registry";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";

export type IndexerMetrics = {
  registry: Registry;
  job(queue: string, outcome: "completed" | "failed", seconds: number): void;
  /** The records of a job are searchable, this long after it was enqueued. */
  searchable(seconds: number): void;
  /** A call of Elasticsearch is tried again, or items of a bulk that it put off. */
  retry(): void;
  /** A message to a webhook, and whether its receiver took it. */
  delivery: (taken: boolean, seconds: number) => void;
};

const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
/** A receiver has ten seconds. */
const DELIVERY_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LAG_BUCKETS = [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 900, 3600];

/** The metrics of one indexer process. `isHeld`: it takes no jobs, because the indices are of a later version. `leads`: it is the leader. */
export function createIndexerMetrics({
  namespace,
  isHeld,
  leads,
}: {
  namespace: string;
  isHeld: () => boolean;
  leads: () => boolean;
}): IndexerMetrics {
  const registry = createProcessRegistry(namespace);
  const registers = [registry];

  const jobs = new Counter({
    name: "tranche_jobs_total",
    help: "Jobs that ended in this process",
    labelNames: ["queue", "outcome"],
    registers,
  });
  const seconds = new Histogram({
    name: "tranche_job_seconds",
    help: "Time that a job took in this process",
    labelNames: ["queue"],
    buckets: JOB_BUCKETS,
    registers,
  });
  const retries = new Counter({
    name: "tranche_elasticsearch_retries_total",
    help: "Calls of Elasticsearch, and bulks with items that it put off, that were tried again",
    registers,
  });
  const lag = new Histogram({
    name: "tranche_searchable_seconds",
    help: "Time from the enqueueing of records until they are searchable",
    buckets: LAG_BUCKETS,
    registers,
  });

  const deliveries = new Counter({
    name: "tranche_webhook_deliveries_total",
    help: "Messages to webhooks, by whether the receiver took them: delivered or failed",
    labelNames: ["outcome"],
    registers,
  });
  const deliverySeconds = new Histogram({
    name: "tranche_webhook_delivery_seconds",
    help: "Time until the receiver of a webhook has answered",
    buckets: DELIVERY_BUCKETS,
    registers,
  });

  const flag = (name: string, help: string, isSet: () => boolean) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(isSet() ? 1 : 0);
      },
    });
  flag("tranche_jobs_held", "1 while this process takes no jobs, because the indices are of a later version", isHeld);
  flag(
    "tranche_ingest_leader",
    "1 while this process is the leader, which takes ingest jobs; the others help with a backlog",
    leads,
  );

  return {
    registry,
    job(queue, outcome, took) {
      jobs.inc({ queue, outcome });
      seconds.observe({ queue }, took);
    },
    searchable: (took) => lag.observe(Math.max(0, took)),
    retry: () => retries.inc(),
    delivery(taken, took) {
      deliveries.inc({ outcome: taken ? "delivered" : "failed" });
      deliverySeconds.observe(took);
    },
  };
}
