import type { ServerResponse } from "node:http";
import type { CallerRequest } from "../admission/charge.ts";
import type { Answer } from "../present/answer.ts";

/** The parts of a request that the steps of an endpoint need, however it came. A Koa context is one. */
export type Call = CallerRequest & {
  readonly method: string;
  /** Path and query string as they were sent: one character per byte. */
  readonly url: string;
  readonly path: string;
  /** The response of the connection on which the caller waits. */
  readonly res: ServerResponse;
  readonly state: CallerRequest["state"] & { waitedMs?: number };
  /** A header of the request; "" without one. */
  get(header: string): string;
  /** Sets a header of the answer. */
  set(header: string, value: string): void;
};

/** Serves an endpoint, from the key to the answer. Throws the refusal. */
export type Serve = (call: Call) => Promise<Answer>;
