import { useRef } from "preact/hooks";
import { requestJson } from "../../../ui/request.ts";
import { type Loaded, useLoad } from "../../../ui/use-load.ts";
import { API } from "../../session.ts";

/**
 * Reads from the API, but only once it is in view, because each path costs requests. The result stays while the user looks at
 * something else.
 */
export function useWanted<T>(paths: readonly string[], wanted: boolean): Loaded<T[]> & { reload: () => void } {
  const asked = useRef<readonly string[]>([]);
  if (wanted) asked.current = paths;
  return useLoad(JSON.stringify(asked.current), async (signal) => {
    const nothingYet = asked.current.length === 0;
    if (nothingYet) return new Promise<never>(() => {});
    const answers = await Promise.all(asked.current.map((path) => requestJson<T>(`${API}/v1/${path}`, { signal })));
    return answers.map(({ body }) => body);
  });
}
