import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/** What is read from the engines when the metrics are asked for. Undefined: that engine did not answer. */
export type Readings = {
  queues: { queue: string; counts: Record<string, number> }[] | undefined;
  /** Of the oldest job of ingest, follow-ups or investors that is not done, in seconds; null when there is none. */
  oldestJobSeconds: number | null | undefined;
  generations: { model: string; generation: number }[] | undefined;
  rebuild: { running: boolean; written: number; expected: number } | undefined;
  /** How long a question took, in seconds. */
  engines: Record<"elasticsearch" | "redis", number | undefined>;
};

export type IndexerMetrics = {
  registry: Registry;
  job(queue: string, outcome: "completed" | "failed", seconds: number): void;
  /** A call of Elasticsearch is tried again. */
  retry(): void;
  /** Puts what was read in place of what was read before. */
  show(readings: Readings): void;
};

const JOB_BUCKETS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

/** The metrics of one indexer process. Those of queues and rebuilds are the same in every process. */
export function createIndexerMetrics(): IndexerMetrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: "tranche_" });
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Gauge({ name, help, labelNames, registers });

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
    help: "Calls of Elasticsearch that were tried again",
    registers,
  });
  const depth = gauge("tranche_queue_jobs", "Jobs in a queue, by state", ["queue", "state"]);
  const oldest = gauge("tranche_oldest_job_seconds", "Age of the oldest job that is not done; 0 when there is none");
  const generation = gauge("tranche_generation", "Generation of a read model", ["model"]);
  const rebuilding = gauge("tranche_rebuild_running", "1 while a rebuild runs, else 0");
  const rebuilt = gauge("tranche_rebuild_documents", "Documents of the last rebuild", ["count"]);
  const up = gauge("tranche_engine_up", "1 if the engine answers, else 0", ["engine"]);
  const latency = gauge("tranche_engine_seconds", "Time of a question to the engine", ["engine"]);

  return {
    registry,
    job(queue, outcome, took) {
      jobs.inc({ queue, outcome });
      seconds.observe({ queue }, took);
    },
    retry: () => retries.inc(),
    show(readings) {
      // Figures of an engine that is away are left out: old ones would be taken for those of now.
      for (const each of [depth, oldest, generation, rebuilding, rebuilt, latency]) each.reset();
      for (const { queue, counts } of readings.queues ?? []) {
        for (const [state, count] of Object.entries(counts)) depth.set({ queue, state }, count);
      }
      if (readings.oldestJobSeconds !== undefined) oldest.set(readings.oldestJobSeconds ?? 0);
      for (const each of readings.generations ?? []) generation.set({ model: each.model }, each.generation);
      if (readings.rebuild) {
        rebuilding.set(readings.rebuild.running ? 1 : 0);
        rebuilt.set({ count: "written" }, readings.rebuild.written);
        rebuilt.set({ count: "expected" }, readings.rebuild.expected);
      }
      for (const [engine, took] of Object.entries(readings.engines)) {
        up.set({ engine }, took === undefined ? 0 : 1);
        if (took !== undefined) latency.set({ engine }, took);
      }
    },
  };
}
