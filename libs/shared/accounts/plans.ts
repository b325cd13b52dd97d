import { z } from "zod";

const plan = z.strictObject({
  /** Shown to people. */
  name: z.string().min(1),
  /** Largest page. */
  max_limit: z.int().min(1).max(1000),
  /** Requests in any 60 seconds. */
  burst: z.int().min(1),
  /** Requests in a calendar month, UTC. */
  quota: z.int().min(1),
  /** Whether whole results can be exported. */
  export: z.boolean().default(true),
  /** Webhooks that an account has at once. */
  webhooks: z.int().min(0).max(1000).default(1),
  /** Whether look-ups say where a record comes from. */
  provenance: z.boolean().default(false),
});
export type Plan = z.output<typeof plan>;

/** Plans by their id (`starter`). */
export const plansSchema = z.record(z.string().regex(/^[a-z][a-z0-9_]*$/), plan);
export type Plans = Readonly<Record<string, Plan>>;

/** Requests in a calendar month that the dashboard makes for an account before its quota is touched: a tenth of the quota, at least 1,000. */
export const ownPool = ({ quota }: Pick<Plan, "quota">): number => Math.max(1000, Math.floor(quota / 10));

export const DEFAULT_PLANS: Plans = Object.freeze({
  starter: { name: "Starter", max_limit: 10, burst: 60, quota: 10_000, export: false, webhooks: 1, provenance: false },
  growth: { name: "Growth", max_limit: 20, burst: 300, quota: 100_000, export: true, webhooks: 5, provenance: false },
  scale: { name: "Scale", max_limit: 50, burst: 1200, quota: 1_000_000, export: true, webhooks: 20, provenance: false },
});
