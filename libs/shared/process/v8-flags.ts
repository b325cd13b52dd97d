import { setFlagsFromString } from "node:v8";

/**
 * Flags that the apps are started with, also by the scripts of package.json; they can't be set once a process runs, and processes
 * that the API forks have those of the first. Node lets what is young grow to 128 MB, most of it garbage: under load an API process
 * took 225 MB instead of 324; half as much as 32 takes 50 MB off an indexer that rebuilds, and no more CPU. Node collects it on
 * several threads, which wait for each other where all cores are busy: on one thread an API process takes 8 % less CPU for a page
 * that nobody asked for before.
 */
export const NODE_FLAGS = ["--max-semi-space-size=16", "--no-parallel-scavenge"] as const;

/**
 * How far the heap may grow over what was alive after the last full collection, in percent, before the next one. What the indexer
 * keeps is small beside what passes through it: at 60 a rebuild went through it all more than once a second.
 */
const GROWTH_PERCENT = { api: 60, indexer: 120 } as const;

/**
 * Keeps a process small. Left to itself V8 lets garbage pile up to several times of what is alive while the machine has memory left;
 * a limit of the whole heap would end the process where a moment needs more. Call it before anything else.
 */
export function keepHeapSmall(app: keyof typeof GROWTH_PERCENT): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[app]}`);
}
