import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { Failure } from "../terminal/failure.ts";

/** How far the restore of a snapshot has come. It replaces every index, so its state is in an index of its own, which has no documents. */
export type Marker = { repository: string; snapshot: string; phase: "indices" | "reconcile"; started_at: string };

const indexOf = (names: IndexNames) => `${names.control}-restoring`;

/** The restore that was interrupted here. */
export async function readMarker(client: Client, names: IndexNames): Promise<Marker | undefined> {
  const index = indexOf(names);
  const answer = await client.indices.getMapping({ index }, { ignore: [404] });
  return answer[index]?.mappings._meta as Marker | undefined;
}

/** Begins a restore. Throws a Failure where another one runs or was interrupted. */
export async function createMarker(client: Client, names: IndexNames, marker: Marker): Promise<void> {
  try {
    await client.indices.create({
      index: indexOf(names),
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: { dynamic: false, _meta: marker },
    });
  } catch (error) {
    const other = await readMarker(client, names);
    if (!other) throw error;
    throw new Failure(`A restore of snapshot ${other.snapshot} has just begun. Only one can run.`);
  }
}

export const updateMarker = (client: Client, names: IndexNames, marker: Marker) =>
  client.indices.putMapping({ index: indexOf(names), _meta: marker });

export const deleteMarker = (client: Client, names: IndexNames) =>
  client.indices.delete({ index: indexOf(names) }, { ignore: [404] });
