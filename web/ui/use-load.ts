import { useCallback, useEffect, useState } from "preact/hooks";
import type { RequestFailed } from "./request.ts";

/** The states of a page: reading, read, and failed. */
export type Loaded<T> =
  | { state: "loading"; value?: T }
  | { state: "ready"; value: T }
  | { state: "failed"; error: RequestFailed; value?: T };

/**
 * Reads with `load` when the page opens, when `key` changes and when `reload` is called. The last value stays while it reads again.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> & { reload: () => void } {
  const [loaded, setLoaded] = useState<Loaded<T> & { key?: string }>({ state: "loading" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    setLoaded((last) => ({ state: "loading", key, ...valueOf(last) }));
    load(aborted.signal).then(
      (value) => setLoaded({ state: "ready", value, key }),
      (error: RequestFailed) => {
        if (aborted.signal.aborted) return;
        setLoaded((last) => ({ state: "failed", error, key, ...valueOf(last) }));
      },
    );
    return () => aborted.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  // The answer for another key is never taken for that of this one, not even for a moment.
  return { ...(loaded.key === key ? loaded : { state: "loading", ...valueOf(loaded) }), reload };
}

const valueOf = <T>({ value }: { value?: T }): { value?: T } => (value === undefined ? {} : { value });
