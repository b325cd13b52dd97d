import { setTimeout as pause } from "node:timers/promises";
import type { Api } from "../environment/api.ts";

const LOOK_EVERY_MS = 10;
const GIVE_UP_MS = 30_000;

/** Asks the API for a path again and again until its data is as wanted. Throws after 30 s, and when it has no data. */
export async function untilShown<Data>(
  { origin, key }: Api,
  path: string,
  isWanted: (data: Data) => boolean,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    const answer = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await answer.json()) as { data?: Data };
    if (!data) throw new Error(`${path}: ${answer.status}`);
    if (isWanted(data)) return;
    if (performance.now() - start > GIVE_UP_MS)
      throw new Error(`${path} did not show a change within 30 s, but ${JSON.stringify(data)}`);
    await pause(LOOK_EVERY_MS);
  }
}
