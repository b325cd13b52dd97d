/** Asks at most once in `ms`: whoever comes meanwhile shares the answer, or the failure. */
export function sharedFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { at: number; answer: Promise<T> } | undefined;
  return () => {
    const at = performance.now();
    if (!asked || at - asked.at >= ms) asked = { at, answer: ask() };
    return asked.answer;
  };
}
