import { isRunning, type ReadRebuild, RebuildMoved } from "@tranche/shared/rebuild/state";
import { moveRoles, readRoles } from "@tranche/shared/rebuild/roles";
import { READ_MODELS } from "@tranche/shared/search/index-names";
import { readModelIndex } from "@tranche/read-models/indices/mappings";
import { retryForever } from "@tranche/shared/search/retry-forever";
import { copy } from "./copy.ts";
import type { RebuildParts } from "./parts.ts";
import { prune } from "./prune.ts";
import { checkCopy } from "./check.ts";
import { startMerging } from "./merge.ts";

/** A rebuild that can't go on: it is cleared away, and the live index stays as it is. */
export class RebuildFailed extends Error {
  override name = "RebuildFailed";
}

/**
 * Takes the planned or interrupted rebuild from where it stands to its end. Every step may be done again: a worker that is killed
 * in any of them is followed by another that reads the state and goes on. One that was overtaken or cancelled stops at its next
 * change of the state.
 */
export async function runRebuild(parts: RebuildParts): Promise<string> {
  let read = await parts.rebuilds.read();
  try {
    while (read && isRunning(read.rebuild)) read = await STEPS[read.rebuild.state as keyof typeof STEPS](parts, read);
  } catch (error) {
    if (error instanceof RebuildMoved) return "overtaken";
    if (!(error instanceof RebuildFailed) || !read) throw error;
    await parts.rebuilds.save(read, { state: "failed", reason: error.message });
    parts.log.error({ rebuild: read.rebuild.id, reason: error.message }, "the rebuild failed");
  }
  await prune(parts);
  return read?.rebuild.state ?? "none";
}

type Step = (parts: RebuildParts, read: ReadRebuild) => Promise<ReadRebuild>;

const STEPS: Record<"planned" | "created" | "copying" | "verifying", Step> = {
  planned: create,
  created: open,
  copying: fill,
  verifying: check,
};

/** Creates the new indices; without replicas, which come when they are full. */
async function create(parts: RebuildParts, read: ReadRebuild): Promise<ReadRebuild> {
  const { client, names } = parts;
  for (const model of READ_MODELS) {
    const index = read.rebuild.indices[model];
    if (await retryForever(() => client.indices.exists({ index }))) continue;
    const layout = { ...parts.layout, replicas: 0 };
    // 400: another worker has just made it.
    await retryForever(() =>
      client.indices.create(
        { index, aliases: { [names.ownAlias(index)]: {} }, ...readModelIndex(model, layout) },
        { ignore: [400] },
      ),
    );
  }
  return parts.rebuilds.save(read, { state: "created" });
}

/** Makes the new indices targets: from here on every write goes to them, too. */
async function open(parts: RebuildParts, read: ReadRebuild): Promise<ReadRebuild> {
  const roles = await readRoles(parts.client, parts.names);
  const changes = READ_MODELS.map((model) => ({
    model,
    role: "building" as const,
    from: roles[model].building,
    to: read.rebuild.indices[model],
  })).filter(({ from, to }) => from !== to);
  if (changes.length > 0 && !(await moveRoles(parts.client, parts.names, changes))) {
    throw new RebuildFailed("Elasticsearch refused to make the new indices targets: their roles changed meanwhile");
  }
  return parts.rebuilds.save(read, { state: "copying" });
}

async function fill(parts: RebuildParts, read: ReadRebuild): Promise<ReadRebuild> {
  const copied = await copy(parts, read);
  return parts.rebuilds.save(copied, { state: "verifying" });
}

/** Compares the copy with the live index, swaps all roles in one call, and has the engine tidy what is live now. */
async function check(parts: RebuildParts, read: ReadRebuild): Promise<ReadRebuild> {
  const { client, names, rebuilds, layout } = parts;
  const { indices } = read.rebuild;
  const roles = await readRoles(client, names);
  // A worker killed between the swap and its note finds the swap done.
  const swapped = READ_MODELS.every((model) => roles[model].live === indices[model]);
  if (!swapped) {
    const problem = await checkCopy(parts, read.rebuild);
    if (problem) throw new RebuildFailed(problem);
    if (layout.replicas > 0) {
      await retryForever(() =>
        client.indices.putSettings({
          index: Object.values(indices),
          settings: { number_of_replicas: layout.replicas },
        }),
      );
      await retryForever(() =>
        client.cluster.health({ index: Object.values(indices), wait_for_status: "green", timeout: "30s" }),
      );
    }
    await retryForever(() => client.indices.refresh({ index: Object.values(indices) }));
    const changes = READ_MODELS.flatMap((model) => [
      { model, role: "building" as const, from: indices[model] },
      { model, role: "previous" as const, from: roles[model].previous, to: roles[model].live },
      { model, role: "live" as const, from: roles[model].live, to: indices[model] },
    ]);
    if (!(await moveRoles(client, names, changes))) {
      throw new RebuildFailed("Elasticsearch refused the swap: the roles of the indices changed meanwhile");
    }
  }
  await parts.announcer.announceEverything(READ_MODELS);
  await startMerging(parts, indices);
  return rebuilds.save(read, { state: "swapped" });
}
