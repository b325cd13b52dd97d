import { REBUILD_STEPS } from "@tranche/shared/protocol/rebuild/state";
import { Gauge, type Registry } from "prom-client";
import type { Readings } from "./readings.ts";

const REBUILD_STATES = [...REBUILD_STEPS, "cancelled", "failed"] as const;
const FINISHED: readonly string[] = ["swapped", "retired", "cancelled", "failed"];

/** Figures of the whole installation. Every process that exports them exports the same. */
type InstallationGauges = {
  /** Puts what was read in place of what was read before. `now` in ms. */
  show(readings: Readings, now: number): void;
};

export function createInstallationGauges(registry: Registry): InstallationGauges {
  /** Empties the gauges. Without it, one without labels would be 0, which is a figure too. */
  const clear: (() => void)[] = [];
  const gauge = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) => {
    const made = new Gauge({ name, help, labelNames, registers: [registry] });
    clear.push(() => (labelNames.length === 0 ? made.remove() : made.reset()));
    return made;
  };

  const depth = gauge("tranche_queue_jobs", "Jobs in a queue, by state", ["queue", "state"]);
  const indexers = gauge("tranche_indexers", "Indexers that are connected to the queue of records");
  const oldest = gauge("tranche_oldest_job_seconds", "Age of the oldest job that is not done; 0 when there is none");
  const note = gauge(
    "tranche_feed_oldest_note_seconds",
    "For how long the oldest note has held the horizon of the feed of changes; 0 when there is none",
  );
  const letters = gauge("tranche_dead_letters", "Dead letters: writes and documents, and whole jobs", ["kind"]);
  const generation = gauge("tranche_generation", "Generation of a read model", ["model"]);
  const rebuilding = gauge("tranche_rebuild_running", "1 while a rebuild runs, else 0");
  const rebuildState = gauge("tranche_rebuild_state", "1 for the state of the last rebuild, 0 for the others", [
    "state",
  ]);
  const rebuildIdle = gauge("tranche_rebuild_idle_seconds", "Time since a running rebuild moved; 0 when none runs");
  const rebuilt = gauge("tranche_rebuild_documents", "Documents of the last rebuild", ["count"]);
  const losses = gauge("tranche_open_losses", "Losses of Redis that are not resolved");
  const due = gauge(
    "tranche_rebuild_due",
    "1 if documents of a live index lack fields or follow earlier rules, else 0: `ops status` says which",
  );
  const backup = gauge(
    "tranche_last_backup_timestamp_seconds",
    "The time as of which the last `ops backup` is; 0 when there is none of the last 30 days",
  );
  const refused = gauge("tranche_refused_lines", "Lines that ingests of the last 24 hours refused");
  const webhooks = gauge("tranche_webhooks", "Webhooks, by status", ["status"]);
  const up = gauge("tranche_engine_up", "1 if the engine answers, else 0", ["engine"]);
  const latency = gauge("tranche_engine_seconds", "Time of a question to the engine", ["engine"]);

  return {
    show(readings, now) {
      // Figures of an engine that is away are left out: old ones would be taken for those of now.
      for (const empty of clear) empty();
      for (const { queue, counts } of readings.queues ?? []) {
        for (const [state, count] of Object.entries(counts)) depth.set({ queue, state }, count);
      }
      if (readings.indexers !== undefined) indexers.set(readings.indexers);
      if (readings.oldestJobSeconds !== undefined) oldest.set(readings.oldestJobSeconds ?? 0);
      if (readings.oldestNoteSeconds !== undefined) note.set(readings.oldestNoteSeconds ?? 0);
      if (readings.deadLetters) {
        letters.set({ kind: "document" }, readings.deadLetters.documents);
        letters.set({ kind: "job" }, readings.deadLetters.jobs);
      }
      for (const each of readings.generations ?? []) generation.set({ model: each.model }, each.generation);
      if (readings.rebuild !== undefined) showRebuild(readings.rebuild, now);
      if (readings.losses !== undefined) losses.set(readings.losses);
      if (readings.rebuildDue !== undefined) due.set(readings.rebuildDue ? 1 : 0);
      if (readings.stored) {
        backup.set(readings.stored.backupAt / 1000);
        refused.set(readings.stored.refusedLines);
        for (const [status, count] of Object.entries(readings.stored.webhooks)) webhooks.set({ status }, count);
      }
      for (const [engine, took] of Object.entries(readings.engines)) {
        up.set({ engine }, took === undefined ? 0 : 1);
        if (took !== undefined) latency.set({ engine }, took);
      }
    },
  };

  function showRebuild(rebuild: NonNullable<Readings["rebuild"]> | null, now: number): void {
    const running = rebuild !== null && !FINISHED.includes(rebuild.state);
    rebuilding.set(running ? 1 : 0);
    rebuildIdle.set(running ? Math.max(0, (now - rebuild.updatedAt) / 1000) : 0);
    for (const state of REBUILD_STATES) rebuildState.set({ state }, rebuild?.state === state ? 1 : 0);
    rebuilt.set({ count: "written" }, rebuild?.written ?? 0);
    rebuilt.set({ count: "expected" }, rebuild?.expected ?? 0);
  }
}
