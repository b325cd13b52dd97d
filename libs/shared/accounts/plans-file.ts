import type { Logger } from "../process/logger.ts";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { z } from "zod";
import { DEFAULT_PLANS, type Plans, plansSchema } from "./plans.ts";
import { SettingsError } from "../process/settings.ts";

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

type WatchedPlans = { current: () => Plans; close: () => void };

/**
 * The plans in force. The file is looked at every `lookEveryMs`, and read again when it has changed. An unreadable or invalid file changes nothing: the log gets
 * the reason. Throws a SettingsError when the first reading fails.
 */
export function watchPlans(
  file: string | undefined,
  lookEveryMs: number,
  log?: Pick<Logger, "info" | "error">,
): WatchedPlans {
  let plans = readPlans(file);
  if (file === undefined) return { current: () => plans, close: () => {} };
  const reread = () => {
    try {
      plans = readPlans(file);
      log?.info({ plans }, "the plans file has changed");
    } catch (error) {
      const reason = (error as Error).message;
      log?.error({ reason }, "the plans file can't be used; the previous plans stay in force");
    }
  };
  // Polled, because file system events get lost on network disks and when a file is replaced.
  watchFile(file, { interval: lookEveryMs, persistent: false }, reread);
  return { current: () => plans, close: () => unwatchFile(file, reread) };
}
