/** Calls at most once per `ms`: other callers in this time share the result, or the failure. */
export function memoizeFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!asked || at - asked.at >= ms) asked = { at, answer: ask() };
    return asked.answer;
  };
}
