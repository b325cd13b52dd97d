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
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const aborted = new AbortController();
    setLoaded((last) => ({ state: "loading", ...(last.value === undefined ? {} : { value: last.value }) }));
    load(aborted.signal).then(
      (value) => setLoaded({ state: "ready", value }),
      (error: RequestFailed) => {
        if (aborted.signal.aborted) return;
        setLoaded((last) => ({ state: "failed", error, ...(last.value === undefined ? {} : { value: last.value }) }));
      },
    );
    return () => aborted.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  return { ...loaded, reload };
}
