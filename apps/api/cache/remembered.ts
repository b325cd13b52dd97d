import type { Generation, Watch } from "./history.ts";
import type { Kept } from "./kept.ts";

/** What was made, and what of; without `watch` any change makes it old. */
export type Made<T> = { value: T; watch: Watch | undefined };

/**
 * Remembers what was made for a key; while it is being made, everybody who asks in the same generation waits for the same making.
 * What fails is not remembered.
 */
export type Remembered<T> = {
  (generation: Generation | undefined, key: string, make: () => Promise<Made<T>>): Promise<T>;
  /** What is there already, without waiting for what is being made. */
  finished: Kept<T>["get"];
};

export function createRemembered<T>(kept: Kept<T>): Remembered<T> {
  /** What is being made. */
  const makings = new Map<string, { generation: Generation; value: Promise<T> }>();

  const begin = async (generation: Generation, key: string, make: () => Promise<Made<T>>): Promise<T> => {
    try {
      const { value, watch } = await make();
      kept.set(generation, key, value, watch);
      return value;
    } finally {
      if (makings.get(key)?.generation === generation) makings.delete(key);
    }
  };
  const remembered = async (generation: Generation | undefined, key: string, make: () => Promise<Made<T>>) => {
    if (!generation) return (await make()).value;
    const there = kept.get(generation, key);
    if (there !== undefined) return there;
    const making = makings.get(key);
    if (making?.generation === generation) return making.value;
    const value = begin(generation, key, make);
    makings.set(key, { generation, value });
    return value;
  };
  return Object.assign(remembered, {
    finished: (generation: Generation | undefined, key: string) => kept.get(generation, key),
  });
}
