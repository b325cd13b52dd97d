import { setTimeout as pause } from "node:timers/promises";
import { createCaller } from "./caller.ts";
import type { Target } from "./exchange.ts";
import { recordMeasurement, type Sample } from "./sample.ts";

/**
 * Sends requests at a fixed rate, whatever the answers do. The time of each counts from when it was due, so that one slow answer
 * shows in all that had to wait behind it. `connections` bounds how many are under way. Adds to the sample.
 */
export async function openLoad(
  target: Target,
  sample: Sample,
  { connections, seconds, perSecond }: { connections: number; seconds: number; perSecond: number },
): Promise<void> {
  const callers = Array.from({ length: connections }, () => createCaller(target));
  const idle = [...callers];
  const waiting: number[] = [];
  const underWay = new Set<Promise<void>>();
  const start = performance.now();

  const send = (): void => {
    while (waiting.length > 0 && idle.length > 0) {
      const due = waiting.shift()!;
      const caller = idle.pop()!;
      const done = caller.call(target.next()).then((failure) => {
        recordMeasurement(sample, performance.now() - due, failure);
        idle.push(caller);
        underWay.delete(done);
        send();
      });
      underWay.add(done);
    }
  };
  const total = Math.round(seconds * perSecond);
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - start) / 1000) * perSecond));
    for (; sent < due; sent++) waiting.push(start + (sent / perSecond) * 1000);
    send();
    await pause(1);
  }
  while (underWay.size > 0) await Promise.all(underWay);
  sample.seconds += (performance.now() - start) / 1000;
  await Promise.all(callers.map((caller) => caller.close()));
}
