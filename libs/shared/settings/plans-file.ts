import { readFileSync } from "node:fs";
import { z } from "zod";
import { DEFAULT_PLANS, type Plans, plansSchema } from "../accounts/plans.ts";
import { SettingsError } from "./settings.ts";

/** The plans in force: those of the operator's file if there is one, else the built-in ones. Throws a SettingsError. */
export function readPlans(file: string | undefined): Plans {
  if (file === undefined) return DEFAULT_PLANS;
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new SettingsError(`TRANCHE_PLANS_FILE ${file}: ${(error as Error).message}`);
  }
  const parsed = plansSchema.safeParse(content);
  if (!parsed.success) throw new SettingsError(`TRANCHE_PLANS_FILE ${file}: ${z.prettifyError(parsed.error)}`);
  if (Object.keys(parsed.data).length === 0) throw new SettingsError(`TRANCHE_PLANS_FILE ${file}: has no plan`);
  return Object.freeze(parsed.data);
}
