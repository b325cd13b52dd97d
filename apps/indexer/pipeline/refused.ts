import type { DeadLetter } from "@tranche/shared/protocol/queue/queues";
import { giveUp } from "@tranche/shared/protocol/rebuild/give-up";
import { readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import type { Publication } from "../write/publish.ts";
import { deadLetterOfDocument } from "./dead-letters.ts";
import type { PipelineParts } from "./parts.ts";

/**
 * The dead letters of documents that an index refused. One that the live index takes and the previous one does not is none: the previous
 * indices are given up instead, because a rollback to them would lose it.
 */
export async function deadLettersOfRefused(
  parts: Pick<PipelineParts, "client" | "names" | "log">,
  rejected: Publication["rejected"],
): Promise<DeadLetter[]> {
  if (rejected.length === 0) return [];
  const roles = await readIndexRoles(parts.client, parts.names);
  const refusedBy = (role: "live" | "previous") =>
    new Map(rejected.flatMap((each) => (roles[each.model][role] === each.index ? [[keyOf(each), each] as const] : [])));
  const [live, previous] = [refusedBy("live"), refusedBy("previous")];
  const missed = [...previous].find(([key]) => !live.has(key))?.[1];
  if (missed)
    await giveUp(parts, missed.index, `it refused document ${missed.id} of ${missed.model}: ${missed.reason}`);
  const letters = rejected.filter((each) => live.has(keyOf(each)) || !previous.has(keyOf(each)));
  return letters.map(({ model, id, reason }) => deadLetterOfDocument(model, id, reason));
}

const keyOf = ({ model, id }: { model: string; id: string }): string => `${model} ${id}`;
