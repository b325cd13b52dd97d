import type { Doing } from "@tranche/operations/accounts/operation";
import type { Settings } from "@tranche/shared/process/settings";
import type { Engines } from "./connect.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** The dependencies of a command. */
export type Ops = {
  /** The version of this program. */
  version: string;
  terminal: Terminal;
  /** Reads the settings; rejects with a SettingsError when one is wrong. */
  settings(): Promise<Settings>;
  /** Connects to both stores, once. */
  engines(): Promise<Engines>;
  /** The stores of accounts; the audit log names the user at the command line. */
  doing(): Promise<Doing>;
  /** From now on Ctrl-C aborts this signal instead of ending the process; the second one ends it, after `atOnce`. */
  onInterrupt(atOnce?: () => void): AbortSignal;
};
