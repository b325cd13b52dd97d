import { LRUCache } from "lru-cache";

/**
 * Calls with an equal key share the promise of the first one while it is under way. With `kept` they share it for `ms` from its beginning,
 * however long it takes, and for at most `keys` keys, those used last. A failure is forgotten at once.
 */
export function shareByKey<T>(kept?: { ms: number; keys: number }): (key: string, ask: () => Promise<T>) => Promise<T> {
  const answers = kept
    ? new LRUCache<string, Promise<T>>({ max: kept.keys, ttl: kept.ms })
    : new Map<string, Promise<T>>();
  return (key, ask) => {
    const shared = answers.get(key);
    if (shared) return shared;
    const answer = ask();
    answers.set(key, answer);
    const forget = () => void (answers.get(key) === answer && answers.delete(key));
    answer.then(kept ? undefined : forget, forget);
    return answer;
  };
}
