import type { SignalKey } from "@tranche/shared/domain/signals/catalogue";
import { isLive, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import type { Day } from "@tranche/shared/domain/time/day";

/** The newest day on which each live signal was detected, YYYY-MM-DD: that of any live instance, also where an older one counts for the score. */
export function newestDetections(instances: readonly SignalInstance[], today: Day): Map<SignalKey, string> {
  const newest = new Map<SignalKey, string>();
  for (const instance of instances) {
    const { key, detected_at } = instance;
    if (isLive(instance, today) && detected_at > (newest.get(key) ?? "")) newest.set(key, detected_at);
  }
  return newest;
}
