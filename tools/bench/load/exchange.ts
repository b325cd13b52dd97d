import type { Meters } from "../environment/meters.ts";

/** One request, ready to be sent. */
export type Exchange = {
  method: "GET" | "POST";
  path: string;
  body?: string;
  /** Sent after it, one by one. All together are measured as one request. */
  following?: readonly Exchange[];
};

/** Where requests go, and which: `next` is asked for each. */
export type Target = {
  name: string;
  origin: string;
  headers: Record<string, string>;
  next: () => Exchange;
  /** Processes that work for it. */
  meters: Meters;
};
