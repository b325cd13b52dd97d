import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { OperatorRequests } from "../../../apps/operators/routes/routes.ts";
import type { RequestFailed } from "../../ui/request.ts";
import type { GetData, GetPath } from "../../ui/site-session.ts";
import { get } from "../session.ts";

/** The last value that could be read, and why a later reading failed. */
export type Live<T> = { value?: T; readAt?: Date; error?: RequestFailed; reload: () => void };

export const EVERY_SECONDS = 5;

/** Reads a path of the pages' API again every few seconds, as `useLiveOf` does. */
export const useLive = <Path extends GetPath<OperatorRequests>>(
  path: Path,
  everySeconds?: number,
): Live<GetData<OperatorRequests, Path>> => useLiveOf(path, get, everySeconds);

/**
 * Reads a path again every few seconds, as long as the page is visible. When a reading fails, the last value stays and `error` says why.
 * `readPath` must not change.
 */
export function useLiveOf<T, Path extends string>(
  path: Path,
  readPath: (path: Path, signal: AbortSignal) => Promise<T>,
  everySeconds: number | undefined = EVERY_SECONDS,
): Live<T> {
  const [state, setState] = useState<Omit<Live<T>, "reload"> & { path: string }>({ path });
  const again = useRef<() => void>(() => {});
  useEffect(() => {
    const aborted = new AbortController();
    const { signal } = aborted;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [reading, isAskedAgain] = [false, false];
    const read = async () => {
      clearTimeout(timer);
      // What is being read may be older than the change that asks for it.
      isAskedAgain = reading;
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
      if (isAskedAgain) return read();
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
