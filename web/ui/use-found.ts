import { useEffect, useState } from "preact/hooks";

/** The states of a search: without a text, searching, failed, and found. While it searches, the hits of the text before stay. */
export type Found<Hit> = { state: "nothing asked" | "asking" | "failed" | "found"; hits: readonly Hit[] };

type Answer<Hit> = { state: "failed" | "found"; hits: readonly Hit[]; of: string };

/**
 * Searches for a text with `find`, once typing has paused. `asks`: whether it can be searched for; `pauseMs`: after the last key. From the
 * key on, and not only from the search on, the state is "asking": Enter waits for the hits of what was typed.
 */
export function useFound<Hit>(
  text: string,
  { asks, pauseMs = 0 }: { asks: boolean; pauseMs?: number },
  find: (text: string, signal: AbortSignal) => Promise<readonly Hit[]>,
): Found<Hit> {
  const [answer, setAnswer] = useState<Answer<Hit>>();
  useEffect(() => {
    if (!asks) return setAnswer(undefined);
    const left = new AbortController();
    const show = (next: Answer<Hit>) => !left.signal.aborted && setAnswer(next);
    const timer = setTimeout(() => {
      find(text, left.signal).then(
        (hits) => show({ state: "found", hits, of: text }),
        () => show({ state: "failed", hits: [], of: text }),
      );
    }, pauseMs);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [asks, text]);
  if (!asks) return { state: "nothing asked", hits: [] };
  return answer?.of === text ? answer : { state: "asking", hits: answer?.hits ?? [] };
}
