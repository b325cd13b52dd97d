import { endRebuild } from "@tranche/shared/protocol/rebuild/end-rebuild";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import {
  isRunning,
  modelsOf,
  type ReadRebuild,
  type Rebuild,
  RebuildMoved,
} from "@tranche/shared/protocol/rebuild/state";
import { refusalOf } from "@tranche/shared/engines/search/client";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { publishDue } from "../feed-serving/publish-due.ts";
import { reconcileFeed } from "../feed-serving/reconcile.ts";
import { SliceFailed } from "./share-out.ts";
import { copy } from "./copy.ts";
import { create } from "./create.ts";
import { startMerging } from "./merge.ts";
import { open } from "./open.ts";
import type { RebuildParts } from "./parts.ts";
import { prune } from "./prune.ts";
import { assertOwnVersions } from "./own-versions.ts";
import { RebuildFailed, type StepFunction } from "./step.ts";
import { isSwapped, swap } from "./swap.ts";
import { verifyCopy } from "./verify.ts";
import { whileTarget } from "../write/while-target.ts";

/**
 * Runs the planned or interrupted rebuild from its saved state to its end and returns the last state. Every step may run twice: when
 * a worker is killed, the next one reads the state and continues. A worker whose rebuild was taken over or cancelled stops at its next
 * change of the state.
 */
export async function runRebuild(parts: RebuildParts): Promise<string> {
  let read = await parts.rebuilds.read();
  try {
    if (read && isRunning(read.rebuild)) {
      assertOwn(read.rebuild);
      await assertOwnVersions(parts, read.rebuild);
    }
    while (read && isRunning(read.rebuild)) read = (await nextStep(parts, read)) ?? (await parts.rebuilds.read());
  } catch (error) {
    if (error instanceof RebuildMoved || (read && (await isOver(parts, read.rebuild)))) return "overtaken";
    const reason = reasonOf(error);
    // After the swap it has not failed: the rest is tried again.
    if (reason === undefined || !read || isSwapped(await readIndexRoles(parts.client, parts.names), read.rebuild))
      throw error;
    // A step has saved its progress since `read`, so the rebuild is read again; `only` keeps one that was planned meanwhile.
    const only = read.rebuild.indices.funding;
    const { outcome } = await endRebuild(parts.client, parts.names, parts.rebuilds, { state: "failed", reason, only });
    if (outcome !== "ended") return "overtaken";
    parts.log.error({ rebuild: read.rebuild.id, reason }, "the rebuild failed");
    read = await parts.rebuilds.read();
  }
  await prune(parts);
  await publishDue(parts);
  return read?.rebuild.state ?? "none";
}

/** Why a rebuild can't end well; undefined when it may the next time. What Elasticsearch refuses once, it refuses every time. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof RebuildFailed || error instanceof SliceFailed) return error.message;
  const refusal = refusalOf(error);
  return refusal && `Elasticsearch refused a request of it: ${refusal.reason}`;
}

/** Undefined when the new indices were given up, or lost their role in another way. */
function nextStep(parts: RebuildParts, read: ReadRebuild): Promise<ReadRebuild | undefined> {
  const { state, indices } = read.rebuild;
  const step = () => STEPS[state as keyof typeof STEPS](parts, read);
  // Before that the new indices have no role yet.
  const isOpen = state === "copying" || state === "verifying";
  return isOpen ? whileTarget(parts, Object.values(indices), step) : step();
}

/** Whether a rebuild was ended by somebody else. Its indices may be deleted then, which makes any call fail. */
async function isOver({ rebuilds }: RebuildParts, { id }: Rebuild): Promise<boolean> {
  const now = await rebuilds.read();
  return now?.rebuild.id !== id || !isRunning(now.rebuild);
}

/** A rebuild that an earlier version planned lacks the indices of newer read models. */
function assertOwn(rebuild: Rebuild): void {
  if (modelsOf(rebuild).length === READ_MODELS.length) return;
  throw new RebuildFailed("an earlier version of Tranche planned it; start it again: ops reindex");
}

/** One state covers verification and swap: a worker that is killed between them verifies again. */
const verifyAndSwap: StepFunction = async (parts, read) => {
  const { rebuild } = read;
  const roles = await readIndexRoles(parts.client, parts.names);
  // A worker that was killed after the swap and before it saved the state has done both.
  if (!isSwapped(roles, rebuild)) {
    const problem = await verifyCopy(parts, rebuild);
    if (problem) throw new RebuildFailed(problem);
    await swap(parts, rebuild, roles);
  }
  await parts.announcer.announceEverything(READ_MODELS);
  await reconcileFeed(parts);
  await startMerging(parts, rebuild.indices);
  return parts.rebuilds.save(read, { state: "swapped" });
};

const STEPS: Record<"planned" | "created" | "copying" | "verifying", StepFunction> = {
  planned: create,
  created: open,
  copying: copy,
  verifying: verifyAndSwap,
};
