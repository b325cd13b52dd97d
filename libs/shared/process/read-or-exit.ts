import { SettingsError } from "./settings.ts";

/** For the start of a process: a setting that is wrong is said in plain words on standard error, and the process ends with 1. */
export function readOrExit<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(error.message);
    return process.exit(1);
  }
}
