import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";

/** Asks until the answer is `wanted`. The first that is asked for a second after the call must be, however long its way takes. */
export async function withinASecond<T>(ask: () => Promise<T>, wanted: T): Promise<void> {
  const due = performance.now() + 1000;
  for (;;) {
    const asked = performance.now();
    const answer = await ask();
    if (answer === wanted || asked > due) return expect(answer).toBe(wanted);
    await pause(50);
  }
}
