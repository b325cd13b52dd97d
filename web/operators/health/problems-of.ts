import type { StatusView } from "../data.ts";

export type Problem = { kind: "danger" | "warning"; text: string; todo: string };

/** The problems of a status that need an operator, the worst first. */
export function problemsOf(status: StatusView): Problem[] {
  const { elasticsearch, redis } = status.health;
  const { count, failed_jobs } = status.dead_letters;
  const dead = count + failed_jobs;
  const danger: (string | false)[][] = [
    [
      elasticsearch.status === "red" && "Elasticsearch is red.",
      "Its logs and GET _cluster/allocation/explain say why.",
    ],
    [!redis.persistence.ok && "Redis could not write to its disk.", "Check its log and its disk."],
    [
      dead > 0 && `There ${dead === 1 ? "is 1 dead letter" : `are ${dead} dead letters`}.`,
      "The page Dead letters says why. Retry or discard them there.",
    ],
    ...status.lost_ingests.map(({ started_at, lost }) => [
      `The ingest of ${started_at} lost writes.`,
      `Ingest again: ${lost.map(partText).join(", ")}.`,
    ]),
  ];
  const warnings: (string | false)[][] = [
    [
      status.queues.some(({ queue, workers }) => queue === "ingest" && workers === 0) && "No indexer is connected.",
      "Start one with `npm run indexer`.",
    ],
    [
      elasticsearch.status === "yellow" &&
        elasticsearch.unassigned_shards > 0 &&
        "Elasticsearch has unassigned shards.",
      "Copies have no node to be on, so losing a node may lose data.",
    ],
    [
      redis.eviction_policy !== "noeviction" &&
        `The eviction policy of Redis is ${redis.eviction_policy ?? "unknown"}.`,
      "Queued jobs may be deleted. Set it to noeviction.",
    ],
    status.outdated_indices.some(({ why }) => why.includes("newer"))
      ? ["Live indices are of a later version.", "Indexers of this version take no jobs: update them, or roll back."]
      : [
          status.outdated_indices.length > 0 && "Live indices are from an earlier version.",
          "New filters miss documents. Start a rebuild.",
        ],
    ...status.closed_indices.map(({ index, why }) => [
      `${index} takes no writes.`,
      why === "disk"
        ? "Elasticsearch blocks writes, because a disk is nearly full. Make room."
        : "An operator has closed it: GET its _settings.",
    ]),
    [
      status.lost_rollback !== null && "A rollback is no longer possible.",
      `The previous indices were given up, because ${status.lost_rollback?.reason}.`,
    ],
    ...status.redis_losses.map(({ at, how, runs }) => [
      `At ${at} Redis had ${how === "emptied" ? "lost its data" : "gone back and lost its newest writes"}.`,
      runs.length === 0
        ? "Every document was derived again. Jobs that other programs had enqueued are lost."
        : `Ingest again: ${runs.flatMap(({ files }) => files).join(", ")}.`,
    ]),
  ];
  const shown = (kind: Problem["kind"], all: (string | false)[][]) =>
    all.flatMap(([text, todo]) => (text ? [{ kind, text, todo: String(todo) }] : []));
  return [...shown("danger", danger), ...shown("warning", warnings)];
}

/** A file, with the lines or elements that are to be ingested again. */
function partText({ file, lines, elements }: StatusView["lost_ingests"][number]["lost"][number]): string {
  const range = lines ?? elements;
  return range ? `${file}, ${lines ? "lines" : "elements"} ${range[0]} to ${range[1]}` : file;
}
