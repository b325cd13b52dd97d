import { useRef } from "preact/hooks";
import { requestJson } from "../../../ui/request.ts";
import { type Loaded, useLoad } from "../../../ui/use-load.ts";
import { API } from "../../session.ts";

/** Answers, and what they were asked for: while the next ones are on their way, the page shows something else already. */
type Answers<T, Of> = { of: Of; answers: T[] };

/**
 * Reads from the API, but only once it is in view, because each path costs requests. The result stays while the user looks at
 * something else. `of` says for what the paths ask.
 */
export function useWanted<T, Of>(
  paths: readonly string[],
  wanted: boolean,
  of: Of,
): Loaded<Answers<T, Of>> & { reload: () => void } {
  const asked = useRef<{ paths: readonly string[]; of: Of }>({ paths: [], of });
  if (wanted) asked.current = { paths, of };
  return useLoad(JSON.stringify(asked.current.paths), async (signal) => {
    const { paths: now, of: askedOf } = asked.current;
    const nothingYet = now.length === 0;
    if (nothingYet) return new Promise<never>(() => {});
    const answers = await Promise.all(now.map((path) => requestJson<T>(`${API}/v1/${path}`, { signal })));
    return { of: askedOf, answers: answers.map(({ body }) => body) };
  });
}
