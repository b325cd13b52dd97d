import { setTimeout as pause } from "node:timers/promises";

/** The answer, asked for again once when it is 503: on a machine too busy for Redis that comes for a moment, with `Retry-After`. */
export async function unlessBusy(ask: () => Promise<Response>): Promise<Response> {
  const answer = await ask();
  if (answer.status !== 503) return answer;
  await answer.body?.cancel();
  await pause(1000 * Number(answer.headers.get("retry-after")));
  return ask();
}

/** The same of one request. */
export const fetchUnlessBusy = (...request: Parameters<typeof fetch>): Promise<Response> =>
  unlessBusy(() => fetch(...request));
