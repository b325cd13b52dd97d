import { accessSync, constants, readFileSync, statfsSync } from "node:fs";

const SHARED_MEMORY = "/dev/shm";
const GIB = 2 ** 30;
/** The tests' data is at most a few hundred megabytes at any time; drills with a million records need more. */
const LEAST_SPACE = 4 * GIB;
/** Space of this kind is memory as well, beside what the engines and the tests use. */
const LEAST_MEMORY = 8 * GIB;

/**
 * A folder whose files are in memory, for data that is thrown away; undefined where there is none, or too little memory for it.
 * Elasticsearch makes and deletes thousands of small files for the tests' many indices: on a disk that is a quarter of its time.
 */
export function memoryFolder(): string | undefined {
  if (process.platform !== "linux" || !hasSpareMemory()) return undefined;
  try {
    const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
    const options = mounts.find((line) => line.split(" ")[1] === SHARED_MEMORY)?.split(" ")[3];
    // Elasticsearch unpacks native libraries beside its data, and runs them.
    if (options === undefined || options.split(",").includes("noexec")) return undefined;
    accessSync(SHARED_MEMORY, constants.W_OK | constants.X_OK);
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    return bavail * bsize >= LEAST_SPACE ? SHARED_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this machine has memory for data beside that of engines and tests. */
export const hasSpareMemory = (): boolean => process.availableMemory() >= LEAST_MEMORY;
