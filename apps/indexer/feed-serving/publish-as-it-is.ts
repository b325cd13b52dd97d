import type { FeedModel } from "@tranche/shared/protocol/feed/keys";
import { retryForever, wholeDocuments } from "@tranche/shared/engines/search/retry-forever";
import type { PipelineParts } from "../pipeline/parts.ts";
import { type Derived, outgoingTo } from "../write/outgoing.ts";
import { publish, writtenOf } from "../write/publish.ts";
import { digestsOf } from "../pipeline/digests.ts";
import { changeTickets } from "../pipeline/stamp.ts";
import { REGISTRY } from "@tranche/read-models/documents/registry";

/**
 * Publishes documents of the live index as they are there, as changed now; missing ones are published as gone. Other indices keep
 * what they have. Documents that somebody else may write meanwhile are left: returns how many.
 */
export async function publishAsItIs(
  parts: PipelineParts,
  model: FeedModel,
  live: string,
  ids: readonly string[],
): Promise<number> {
  const { ticket, shared } = await parts.pendingWrites.take({ [model]: ids });
  const alone = ids.filter((id) => !shared[model].has(id));
  const documents = (await storedIn(parts, model, live, alone)).map(({ id, document }) => ({
    id,
    document: { ...document, ...changeTickets(ticket, digestsOf(model, document), undefined, false) },
  }));
  const outgoing = outgoingTo(parts.versions, [live], ticket, documents);
  const { rejected } = await publish(parts, model, outgoing);
  const { written, left } = writtenOf(ids, outgoing, rejected);
  // A lost note means that readers may have passed the ticket.
  if (!(await parts.pendingWrites.takeBack(model, ticket, { written, left })))
    return publishAsItIs(parts, model, live, ids);
  // A document that Elasticsearch refuses in its own words is not tried again.
  return left.length - rejected.length;
}

async function storedIn(
  { client, onRetry }: PipelineParts,
  model: FeedModel,
  index: string,
  ids: readonly string[],
): Promise<Derived[]> {
  if (ids.length === 0) return [];
  const docs = await retryForever(
    async () => wholeDocuments(await client.mget<object>({ index, ids: [...ids] })),
    onRetry,
  );
  return docs.map(({ _id: id, _source }) => ({
    id,
    document: _source ?? { gone: true, [REGISTRY[model].idField]: id },
  }));
}
