import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Sends chunks through a transform, one by one, and yields the output of each before the next one goes in. A failing stream would drop
 * its buffered output; here the output is yielded first, then the error is thrown. A transform that ends by itself gets no more chunks.
 */
export async function* piecewise<T>(transform: Duplex, pieces: AsyncIterable<unknown>): AsyncGenerator<T> {
  let made: T[] = [];
  let failure: Error | undefined;
  let ended = false;
  // After a failure, the callback of a write may never be called, so the waiting caller is notified here.
  let settle: (() => void) | undefined;
  transform.on("data", (part: T) => made.push(part));
  transform.on("error", (error) => {
    failure = error;
    settle?.();
  });
  transform.on("end", () => {
    ended = true;
    settle?.();
  });
  const settled = (start: (done: () => void) => void) =>
    new Promise<void>((resolve) => {
      settle = resolve;
      start(resolve);
    });
  const taken = () => {
    const parts = made;
    made = [];
    return parts;
  };

  // A data listener makes the stream flow only from the next tick on; until then it would hold output back.
  await nextTurn();
  try {
    for await (const piece of pieces) {
      await settled((done) => transform.write(piece, done));
      yield* taken();
      if (failure ?? ended) break;
    }
    if (!failure && !ended) await settled(() => transform.end());
    yield* taken();
  } finally {
    transform.destroy();
  }
  if (failure) throw failure;
}
