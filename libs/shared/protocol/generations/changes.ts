/** The fields by which lists find and order a document, as the index has them. */
export type State = Readonly<Record<string, unknown>>;

/** The visible changes since the generation before, also of documents that only some lists show. */
export type Changes = {
  /** Ids of documents that keep their place and only look different. */
  redrawn: readonly string[];
  /** All others. */
  moved: readonly Move[];
};

/** The changes that came by one writing; `begun` says which one of its read model it was. */
export type Step = Changes & { begun: number };

/** The former state of a document, unless there was none, and the new one, unless it is gone. */
export type Move = { id: string; was?: State; is?: State };

type Document = Readonly<Record<string, unknown>>;

/** The searched fields of documents before and after a change. `before` lacks documents that did not exist. */
export function changesBetween(
  fields: readonly string[],
  before: ReadonlyMap<string, Document>,
  after: readonly { id: string; document: Document }[],
): Changes {
  const redrawn: string[] = [];
  const moved: Move[] = [];
  for (const { id, document } of after) {
    const was = stateOf(fields, before.get(id));
    const is = stateOf(fields, document);
    if (was && is && JSON.stringify(was) === JSON.stringify(is)) redrawn.push(id);
    else if (was || is) moved.push({ id, ...(was && { was }), ...(is && { is }) });
  }
  return { redrawn, moved };
}

function stateOf(fields: readonly string[], document: Document | undefined): State | undefined {
  if (document === undefined || document.gone === true) return undefined;
  return Object.fromEntries(fields.map((field) => [field, document[field] ?? null]));
}
