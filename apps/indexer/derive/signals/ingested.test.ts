import { expect, test } from "vitest";
import type { SignalInstance } from "@tranche/shared/domain/signals/instance";
import { isLive } from "@tranche/shared/domain/signals/instance";
import { dayOf, isoDay } from "@tranche/shared/domain/time/day";
import type { IngestedSignal } from "./history.ts";
import { ingestedSignals } from "./ingested.ts";

const today = dayOf("2025-06-01");
const ago = (days: number): string => isoDay(today - days);
const signal = (more: Partial<IngestedSignal>): IngestedSignal => ({
  id: "s1",
  key: "hiring",
  detected_at: ago(5),
  expires_at: null,
  strength: null,
  evidence_url: null,
  ...more,
});
const found = (more: Partial<IngestedSignal>): SignalInstance[] =>
  ingestedSignals([signal(more)]).filter((instance) => isLive(instance, today));

test("ingested signals have full strength and the life of their key unless they say otherwise", () => {
  expect(found({})).toEqual([
    {
      key: "hiring",
      detected_at: ago(5),
      expires_at: ago(5 - 45),
      strength: 1,
      source: "ingested",
      evidence: { signal_id: "s1", evidence_url: null },
    },
  ]);
  expect(found({ strength: 0, evidence_url: "https://a.example" })[0]).toMatchObject({ strength: 0 });
});

test("ingested signals expire on the day they say, in place of their life", () => {
  expect(found({ detected_at: ago(200), expires_at: ago(-1) })).toHaveLength(1);
  expect(found({ expires_at: ago(0) })).toEqual([]);
});

test("ingested signals go by the UTC day of a time", () => {
  expect(found({ detected_at: "2025-05-31T23:30:00-05:00" })[0]?.detected_at).toBe("2025-06-01");
  expect(found({ detected_at: "2025-06-01T23:59:59Z" })).toHaveLength(1);
  expect(found({ detected_at: "2025-06-02T00:00:00Z" })).toEqual([]);
});

test("ingested signals of a key that is derived or unknown say nothing", () => {
  expect(found({ key: "just_raised" })).toEqual([]);
  expect(found({ key: "nonsense" })).toEqual([]);
});
