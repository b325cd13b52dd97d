import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Sends pieces through a transform, one by one, and gives what comes out of each before the next one goes in. A stream that fails
 * would drop what it has made but not yet passed on; here that comes first, and then the error is thrown. A transform that ends by
 * itself takes no more pieces.
 */
export async function* piecewise<T>(transform: Duplex, pieces: AsyncIterable<unknown>): AsyncGenerator<T> {
  let made: T[] = [];
  let failure: Error | undefined;
  let ended = false;
  // After a failure the callback of a write is not sure to come: whoever waits is told here.
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

  // A listener of data makes the stream flow only from the next turn on; before, it would keep things back.
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
