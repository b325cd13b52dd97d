import { setFlagsFromString } from "node:v8";

/** How far the heap may grow over what was alive after the last full collection, in percent, before the next one. */
const GROWTH_PERCENT = 60;

/**
 * Keeps a process small. Left to itself V8 lets garbage pile up to several times of what is alive while the machine has memory left;
 * a limit of the whole heap would end the process where a moment needs more. Call it before anything else.
 */
export function keepHeapSmall(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
