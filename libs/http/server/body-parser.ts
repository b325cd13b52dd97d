import { bodyParser } from "@koa/bodyparser";
import type { Middleware } from "koa";
import { HttpError } from "../errors/http-error.ts";

const LIMIT = "16kb";

/** Reads bodies of one type and of up to 16 KiB; others are left alone. Throws `too_large`, and `invalid_request` that says what is `expected`. */
export const parsedBodies = (type: "json" | "form", expected: string): Middleware =>
  bodyParser({
    enableTypes: [type],
    [`${type}Limit`]: LIMIT,
    onError(error) {
      const tooLarge = (error as { status?: number }).status === 413;
      throw tooLarge
        ? new HttpError("too_large", 413, `The request is larger than ${LIMIT}.`)
        : new HttpError("invalid_request", 400, `The body is not ${expected}.`);
    },
  });
