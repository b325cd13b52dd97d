/** What lists can find and order a document by, as the index has it. */
export type State = Readonly<Record<string, unknown>>;

/** What readers can see differently since the generation before. Documents that lists show neither before nor after are left out. */
export type Changes = {
  /** Ids of documents that stand where they stood and only look different. */
  redrawn: readonly string[];
  /** Of all others what they were, where lists showed them, and what they are, where lists show them now. */
  states: readonly State[];
};

type Document = Readonly<Record<string, unknown>>;

/** What documents were and what they became, told by the fields that they are found by. `before` lacks those that were not there. */
export function changesBetween(
  fields: readonly string[],
  before: ReadonlyMap<string, Document>,
  after: readonly { id: string; document: Document }[],
): Changes {
  const redrawn: string[] = [];
  const states: State[] = [];
  for (const { id, document } of after) {
    const was = stateOf(fields, before.get(id));
    const is = stateOf(fields, document);
    if (was && is && JSON.stringify(was) === JSON.stringify(is)) redrawn.push(id);
    else states.push(...[was, is].filter((state) => state !== undefined));
  }
  return { redrawn, states };
}

function stateOf(fields: readonly string[], document: Document | undefined): State | undefined {
  if (document?.listed !== true) return undefined;
  return Object.fromEntries(fields.map((field) => [field, document[field] ?? null]));
}
