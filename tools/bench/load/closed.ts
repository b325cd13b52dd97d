import { createCaller } from "./caller.ts";
import type { Target } from "./exchange.ts";
import { recordMeasurement, type Sample } from "./sample.ts";

/**
 * Keeps `connections` connections busy, for some time or for a number of requests: each sends its next request when the last one was
 * answered. Adds to the sample.
 */
export async function closedLoad(
  target: Target,
  sample: Sample,
  {
    connections,
    seconds = Infinity,
    requests = Infinity,
  }: { connections: number; seconds?: number; requests?: number },
): Promise<void> {
  const start = performance.now();
  const end = start + seconds * 1000;
  let left = requests;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const caller = createCaller(target);
      for (let before = performance.now(); before < end && left-- > 0;) {
        const exchange = target.next();
        let failure = await caller.call(exchange);
        for (const following of exchange.following ?? []) failure ??= await caller.call(following);
        const after = performance.now();
        recordMeasurement(sample, after - before, failure);
        before = after;
      }
      await caller.close();
    }),
  );
  sample.seconds += (performance.now() - start) / 1000;
}
