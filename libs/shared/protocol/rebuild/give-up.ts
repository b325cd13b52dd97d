import type { Client } from "@elastic/elasticsearch";
import { INDEX_ROLES, type IndexNames, READ_MODELS } from "../../engines/search/index-names.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";
import { endRebuild } from "./end-rebuild.ts";
import { type IndexRoles, moveRoles, readIndexRoles } from "./roles.ts";
import { createRebuildStore } from "./state.ts";

type Parts = { client: Client; names: IndexNames; log: { warn: (details: object, text: string) => void } };

/** Indices that were kept for a rollback and no longer are, because one of them missed a write. */
export type LostRollback = { at: string; reason: string; indices: string[]; live: string[] };

const ID = "lost-rollback";

/**
 * Gives up an index that can't take a write: a rebuild that fills it fails, and a rollback to it is no longer offered. Its role is
 * removed in one call that is refused if a swap or rollback came first. Returns whether the index has no role now, read from the
 * master: only then may a writer leave it out. An index that is live is never given up.
 */
export async function giveUp(parts: Parts, index: string, reason: string): Promise<boolean> {
  const { client, names, log } = parts;
  const roles = await readIndexRoles(client, names);
  const role = INDEX_ROLES.find((each) => READ_MODELS.some((model) => roles[model][each] === index));
  if (role === undefined) return true;
  if (role === "live") return false;
  if (role === "building") {
    await endRebuild(client, names, createRebuildStore(client, names), { state: "failed", reason, only: index });
  } else await noteLost(parts, roles, reason);
  // For all read models at once: they are swapped and rolled back together or not at all.
  const held = (await readIndexRoles(client, names)) satisfies IndexRoles;
  const changes = READ_MODELS.flatMap((model) => {
    const from = held[model][role];
    return from === undefined ? [] : [{ model, role, from, forGood: true }];
  });
  // A rebuild that was planned meanwhile has other indices: they keep their role.
  if (changes.some(({ from }) => from === index)) await moveRoles(client, names, changes);
  const after = await readIndexRoles(client, names);
  const gone = READ_MODELS.every((model) => INDEX_ROLES.every((each) => after[model][each] !== index));
  if (gone) log.warn({ index, role, reason }, "gave up an index that can't be written to");
  return gone;
}

async function noteLost({ client, names }: Parts, roles: IndexRoles, reason: string): Promise<void> {
  const document: LostRollback = {
    at: new Date().toISOString(),
    reason,
    indices: READ_MODELS.flatMap((model) => roles[model].previous ?? []),
    live: liveOf(roles),
  };
  await retryForever(() => client.index({ index: names.control, id: ID, document }));
}

/** Why the live indices can't be rolled back though they replaced others; undefined when that is not so. */
export async function readLostRollback(
  client: Client,
  names: IndexNames,
  roles: IndexRoles,
): Promise<LostRollback | undefined> {
  if (READ_MODELS.every((model) => roles[model].previous !== undefined)) return undefined;
  const found = await retryForever(() => client.get<LostRollback>({ index: names.control, id: ID }, { ignore: [404] }));
  // After another swap, the note is about indices that nobody would go back to.
  return found._source && String(found._source.live) === String(liveOf(roles)) ? found._source : undefined;
}

const liveOf = (roles: IndexRoles): string[] => READ_MODELS.flatMap((model) => roles[model].live ?? []);
