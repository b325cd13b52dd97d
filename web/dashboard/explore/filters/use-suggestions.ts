import { useEffect, useState } from "preact/hooks";
import { RequestFailed } from "../../../ui/request.ts";
import type { Source, Suggestion } from "./suggestions.ts";

/** After the last key. */
const PAUSE_MS = 250;

/** `of`: the text that the suggestions are for. While the next ones load, it is the text before. */
type Loaded = { state: "none" | "loading" | "ready" | "failed"; suggestions: readonly Suggestion[]; of?: string };
/** `settled`: nothing more will come for this text. */
type Suggested = Pick<Loaded, "state" | "suggestions"> & { settled: boolean };

/** Suggestions for a text, once typing has paused. An open vocabulary needs a text to search for. */
export function useSuggestions(source: Source | undefined, text: string): Suggested {
  const [suggested, setSuggested] = useState<Loaded>({ state: "none", suggestions: [] });
  const asks = source !== undefined && (source.closed || text !== "");
  useEffect(() => {
    if (!asks) return setSuggested({ state: "none", suggestions: [] });
    const left = new AbortController();
    const timer = setTimeout(
      () => {
        setSuggested((last) => ({ ...last, state: "loading" }));
        source.suggest(text, left.signal).then(
          (suggestions) => {
            if (!left.signal.aborted) setSuggested({ state: "ready", suggestions, of: text });
          },
          (error: unknown) => {
            if (error instanceof RequestFailed) setSuggested({ state: "failed", suggestions: [], of: text });
          },
        );
      },
      source.closed ? 0 : PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [asks, source, text]);
  return { ...suggested, settled: !asks || suggested.of === text };
}
