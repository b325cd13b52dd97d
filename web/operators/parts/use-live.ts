import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { RequestFailed } from "../../ui/request.ts";
import { get } from "../session.ts";

/** The last value that could be read, and why a later reading failed. */
export type Live<T> = { value?: T; readAt?: Date; error?: RequestFailed; reload: () => void };

export const EVERY_SECONDS = 5;

/**
 * Reads a path of the API again every few seconds, as long as the page is visible. When a reading fails, the last value stays and
 * `error` says why. `readPath`: reads another API; it must not change.
 */
export function useLive<T>(
  path: string,
  everySeconds: number | undefined = EVERY_SECONDS,
  readPath: (path: string, signal: AbortSignal) => Promise<T> = get<T>,
): Live<T> {
  const [state, setState] = useState<Omit<Live<T>, "reload"> & { path: string }>({ path });
  const again = useRef<() => void>(() => {});
  useEffect(() => {
    const aborted = new AbortController();
    const { signal } = aborted;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let reading = false;
    const read = async () => {
      clearTimeout(timer);
      if (reading) return;
      reading = true;
      try {
        const value = await readPath(path, signal);
        if (!signal.aborted) setState({ path, value, readAt: new Date() });
      } catch (error) {
        if (signal.aborted) return;
        setState((last) => ({ ...(last.path === path ? last : { path }), error: error as RequestFailed }));
      } finally {
        reading = false;
      }
      if (everySeconds !== undefined && !document.hidden) timer = setTimeout(() => void read(), everySeconds * 1000);
    };
    const onVisibility = () => {
      if (document.hidden) clearTimeout(timer);
      else if (everySeconds !== undefined) void read();
    };
    again.current = () => void read();
    document.addEventListener("visibilitychange", onVisibility, { signal });
    void read();
    return () => {
      aborted.abort();
      clearTimeout(timer);
    };
  }, [path, everySeconds]);
  const reload = useCallback(() => again.current(), []);
  // Values of another path are never shown, not even for a moment.
  return { ...(state.path === path ? state : {}), reload };
}
