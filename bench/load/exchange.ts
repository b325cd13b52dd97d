import type { Meters } from "../environment/meters.ts";

/** One request, ready to be sent. */
export type Exchange = { method: "GET" | "POST"; path: string; body?: string };

/** Where requests go, and which: `next` is asked for each. */
export type Target = {
  name: string;
  origin: string;
  headers: Record<string, string>;
  next: () => Exchange;
  /** Processes that work for it. */
  meters: Meters;
};
