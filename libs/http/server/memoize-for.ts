/**
 * Calls at most once per `ms`, and one at a time: other callers in this time, or while a call is under way, share its result or its
 * failure. With 0 they share only the call under way (a single flight).
 */
export function memoizeFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let asked: { at: number; answer: Promise<T> } | undefined;
  let underWay = false;
  return () => {
    const at = performance.now();
    if (asked && (underWay || at - asked.at < ms)) return asked.answer;
    const answer = ask().finally(() => (underWay = false));
    underWay = true;
    asked = { at, answer };
    return answer;
  };
}
