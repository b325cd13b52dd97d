import type { Settings } from "@tranche/shared/settings/settings";
import type { Engines } from "./engines/connect.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** What a command works with. */
export type Ops = {
  terminal: Terminal;
  /** Reads the settings; throws a SettingsError when one is wrong. */
  settings(): Settings;
  /** Connects to both stores, once. */
  engines(): Promise<Engines>;
  /** From now on Ctrl-C aborts this signal instead of ending the process; the second one ends it. */
  onInterrupt(): AbortSignal;
};
