import { type Answer, answerOf } from "./answer.ts";

/** A page of the feed of changes as JSON. `changes` are JSON texts, `next` the position after them. */
export function presentChanges({
  changes,
  next,
  hasMore,
}: {
  changes: readonly string[];
  next: string;
  hasMore: boolean;
}): Answer {
  return answerOf("json", `{"data":[${changes.join(",")}],"next":${JSON.stringify(next)},"has_more":${hasMore}}`);
}
