import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A file for TRANCHE_PLANS_FILE with these plans. */
export function plansFile(plans: Record<string, object>): string {
  const file = join(mkdtempSync(join(tmpdir(), "tranche-plans-")), "plans.json");
  writeFileSync(file, JSON.stringify(plans));
  return file;
}

/** A plans file whose plan `scale` has the usual page but no limits in practice: for tests of what is found, not of how often. */
export const plansWithoutLimits = (): string =>
  plansFile({ scale: { name: "Scale", max_limit: 50, burst: 1_000_000, quota: 1_000_000_000 } });
