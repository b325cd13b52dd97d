import { INGESTED_KEYS, isSignalKey } from "@tranche/shared/domain/signals/catalogue";
import { expiryOf, type SignalInstance } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import type { IngestedSignal } from "./history.ts";

/** Ingested signals, by whole UTC days. Those whose key cannot be ingested are ignored. */
export function ingestedSignals(signals: readonly IngestedSignal[]): SignalInstance[] {
  return signals.flatMap((signal) => {
    const { key } = signal;
    if (!isSignalKey(key) || !INGESTED_KEYS.includes(key)) return [];
    const detected = dayOf(signal.detected_at);
    const expires = signal.expires_at === null ? expiryOf(key, detected) : dayOf(signal.expires_at);
    return {
      key,
      detected_at: isoDay(detected),
      expires_at: expires === null ? null : isoDay(expires),
      strength: signal.strength ?? 1,
      source: "ingested" as const,
      evidence: { signal_id: signal.id, evidence_url: signal.evidence_url },
    };
  });
}
