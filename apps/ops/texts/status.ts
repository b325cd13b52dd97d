import type { Status } from "@tranche/operations/status/status";
import { outdatedText } from "@tranche/read-models/indices/outdated-text";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { lostRollbackText, rebuildText, ROLLED_BACK } from "./rebuild.ts";
import { originsText } from "@tranche/shared/protocol/runs/job-origins";
import { closedByDiskText } from "../terminal/closed-index.ts";
import { counted, shownBytes, shownDuration, shownNumber } from "@tranche/shared/domain/text/numbers";
import { table } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";

const NO_INDEXER = "No indexer is connected. Start one with `npm run indexer`.";

type Paint = Terminal["paint"];

/** The status as people read it. */
export function statusText(status: Status, paint: Paint): string {
  const queues = status.queues.map((each) => [
    each.queue,
    shownNumber(each.waiting),
    shownNumber(each.active),
    shownNumber(each.delayed),
    shownNumber(each.failed),
    each.oldest_waiting_seconds === null ? "" : shownDuration(each.oldest_waiting_seconds),
    each.workers,
  ]);
  const indices = status.indices.map((each) => [
    each.index,
    each.role ?? "none",
    each.documents === null ? "shards are away" : shownNumber(each.documents),
  ]);
  const generations = Object.entries(status.generations).map(([model, number]) => `${model} ${number ?? "none yet"}`);
  return [
    `Tranche ${status.versions.tranche}, namespace ${status.namespace}, clock at ${status.now}`,
    elasticsearchText(status, paint),
    redisText(status, paint),
    lagText(status.lag),
    ...(status.queues.some(({ queue, workers }) => queue === QUEUES.ingest && workers === 0)
      ? [paint("yellow", NO_INDEXER)]
      : []),
    deadLettersText(status.dead_letters, paint),
    ingestText(status.last_ingest, paint),
    table(["queue", "waiting", "active", "delayed", "failed jobs", "oldest waiting", "workers"], queues, ""),
    table(["index", "role", "documents"], indices, ""),
    ...(status.outdated_indices.length > 0 ? [paint("yellow", outdatedText(status.outdated_indices))] : []),
    ...closedTexts(status).map((text) => paint("yellow", text)),
    `Generations: ${generations.join(", ")}. Accounts: ${shownNumber(status.accounts)}.`,
    status.rebuild ? `Last rebuild: ${rebuildText(status.rebuild)}` : "There has been no rebuild yet.",
    ...(status.rolled_back ? [paint("yellow", ROLLED_BACK)] : []),
    ...(status.lost_rollback ? [paint("yellow", lostRollbackText(status.lost_rollback))] : []),
    ...status.redis_losses.map((loss) => paint("yellow", lossText(loss))),
    ...status.lost_ingests.map((loss) => paint("red", lostIngestText(loss))),
  ].join("\n");
}

function elasticsearchText({ elasticsearch: address, health }: Status, paint: Paint): string {
  const { version, status, nodes, unassigned_shards, disk, heap } = health.elasticsearch;
  const parts = [
    paint(status, status),
    counted(nodes, "node"),
    unassigned_shards > 0 && counted(unassigned_shards, "unassigned shard"),
    disk && `disk ${shownBytes(disk.available_bytes)} of ${shownBytes(disk.total_bytes)} available`,
    heap && `heap ${shownBytes(heap.used_bytes)} of ${shownBytes(heap.max_bytes)} used`,
  ];
  return `Elasticsearch${version === null ? "" : ` ${version}`} at ${address}: ${parts.filter(Boolean).join(", ")}`;
}

function redisText({ redis: address, health }: Status, paint: Paint): string {
  const { version, used_memory_bytes, max_memory_bytes, eviction_policy, persistence } = health.redis;
  const limit = max_memory_bytes === null ? "no limit" : `limit ${shownBytes(max_memory_bytes)}`;
  const parts = [
    `${shownBytes(used_memory_bytes)} used, ${limit}`,
    max_memory_bytes !== null &&
      used_memory_bytes >= max_memory_bytes &&
      paint("red", "its memory is full, so it takes no writes"),
    persistence.append_only_file ? "append-only file on" : paint("yellow", "append-only file off"),
    persistence.last_snapshot_at && `last snapshot at ${persistence.last_snapshot_at}`,
    !persistence.ok && paint("red", "its last write to disk failed"),
    eviction_policy !== "noeviction" &&
      paint(
        "yellow",
        `eviction policy ${eviction_policy ?? "unknown"}: queued jobs may be deleted; set it to noeviction`,
      ),
  ];
  return `Redis${version === null ? "" : ` ${version}`} at ${address}: ${parts.filter(Boolean).join(", ")}`;
}

function lagText({ oldest_job_seconds, searchable_after }: Status["lag"]): string {
  const open =
    oldest_job_seconds === null ? "nothing to do" : `the oldest open job is ${shownDuration(oldest_job_seconds)} old`;
  if (searchable_after === null) return `Lag: ${open}`;
  const { median_seconds, slowest_seconds, jobs } = searchable_after;
  return `Lag: ${open}; enqueued to searchable took ${median_seconds} s (median of the last ${counted(jobs, "job")}), at most ${slowest_seconds} s`;
}

function deadLettersText({ count, failed_jobs, last_at }: Status["dead_letters"], paint: Paint): string {
  if (count + failed_jobs === 0) return "Dead letters: none";
  const parts = [
    count > 0 && counted(count, "write or document", "writes and documents"),
    failed_jobs > 0 && counted(failed_jobs, "job"),
  ];
  const last = last_at ? `, the last at ${last_at}` : "";
  return paint("red", `Dead letters: ${parts.filter(Boolean).join(" and ")}${last}. \`ops failed list\` shows them.`);
}

const MAX_FILES = 5;

function ingestText(ingest: Status["last_ingest"], paint: Paint): string {
  if (ingest === null) return "Last ingest: none yet";
  const { files, started_at, enqueued_at, enqueued, refused, read_nothing, done } = ingest;
  const named =
    files.slice(0, MAX_FILES).join(" ") + (files.length > MAX_FILES ? ` and ${files.length - MAX_FILES} more` : "");
  if (enqueued_at === null) return `Last ingest: ${named}, started at ${started_at}: still reading, or interrupted`;
  if (read_nothing !== null)
    return paint("red", `Last ingest: ${named}, started at ${started_at}: nothing was read: ${read_nothing}`);
  const counts = `${counted(enqueued, "record")} enqueued${refused ? `, ${shownNumber(refused)} refused` : ""}`;
  return `Last ingest: ${named}, started at ${started_at}: ${counts}, ${done ? "done" : "not yet known to be indexed"}`;
}

function closedTexts({ closed_indices }: Status): string[] {
  return closed_indices.map(({ index, why }) =>
    why === "disk"
      ? closedByDiskText(index)
      : `${index} takes no writes: an operator has closed it.\n` +
        `  PUT ${index}/_settings {"index.blocks.write": null, "index.blocks.read_only": null} opens it.`,
  );
}

function lossText({ id, at, how, runs }: Status["redis_losses"][number]): string {
  const what = how === "emptied" ? "had lost its data" : "had gone back and lost its newest writes";
  const lost =
    runs.length === 0
      ? "No `ops ingest` lost anything; jobs that other programs had enqueued may be lost."
      : `${counted(runs.length, "ingest")} lost writes.`;
  return `At ${at} Redis ${what}, and every document was derived again. ${lost} \`ops losses resolve ${id}\` removes this line.`;
}

function lostIngestText({ id, started_at, lost }: Status["lost_ingests"][number]): string {
  return `Ingest again: ${originsText(lost)} (ingest of ${started_at}). That resolves it; \`ops losses resolve ${id}\` does so without.`;
}
