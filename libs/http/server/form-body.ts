import type { Context, Middleware } from "koa";
import { parsedBodies } from "./body-parser.ts";

/** Reads forms of up to 16 KiB. Only for requests that carry no cookie: pages of other sites can send forms. */
export const formBodies = (): Middleware => parsedBodies("form", "a form");

/** The fields of a form as they were sent, also those that come twice; undefined when the body is none. */
export const formOf = ({ request: { rawBody } }: Context): URLSearchParams | undefined =>
  rawBody === undefined ? undefined : new URLSearchParams(rawBody);
