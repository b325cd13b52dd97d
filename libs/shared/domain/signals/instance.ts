import { dayOf, isoDay, type Day } from "../time/day.ts";
import { signalDefinition, type SignalKey, type SignalSource } from "./catalogue.ts";

/** One occurrence of a signal at one company. */
export interface SignalInstance {
  key: SignalKey;
  /** `YYYY-MM-DD`. In the future for one that is not live yet. */
  detected_at: string;
  /** `YYYY-MM-DD`, the first day on which it is no longer live; null while it is live as long as it is true. */
  expires_at: string | null;
  /** 0 to 1. */
  strength: number;
  source: SignalSource;
  /** Its source, as JSON: `{round_id}`, `{technologies}`, `{signal_id, evidence_url}`. */
  evidence: Record<string, unknown> | null;
}

/** A derived instance at full strength; `expires` is needed only where the catalogue has no life for the key. */
export function derivedInstance(
  key: SignalKey,
  detected: Day,
  evidence: Record<string, unknown>,
  expires: Day | null = expiryOf(key, detected),
): SignalInstance {
  return {
    key,
    detected_at: isoDay(detected),
    expires_at: expires === null ? null : isoDay(expires),
    strength: 1,
    source: "derived",
    evidence,
  };
}

/** The first day on which a signal detected on `detected` is no longer live by its life; null when it has none. */
export function expiryOf(key: SignalKey, detected: Day): Day | null {
  const { lifeDays } = signalDefinition(key);
  return lifeDays === null ? null : detected + lifeDays;
}

/** Whether the instance counts on that day: detected by then, and not expired. */
export function isLive(instance: SignalInstance, today: Day): boolean {
  return dayOf(instance.detected_at) <= today && (instance.expires_at === null || today < dayOf(instance.expires_at));
}
