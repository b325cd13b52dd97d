import { z } from "zod";
import { decodePosition, MAX_POSITION_LENGTH } from "../../feed/position-text.ts";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

/** Everything that there is comes first. */
export const START = "start";

/** A position in the feed of any list, or `start`. Its value is the text. */
export function position(): Kind<string> {
  return scalar({
    schema: z
      .string()
      .max(MAX_POSITION_LENGTH)
      .regex(/^[A-Za-z0-9_-]+$/),
    read(text) {
      if (text === START || decodePosition(text)) return { value: text };
      const message =
        text.length > MAX_POSITION_LENGTH
          ? `since has ${text.length} characters; no position has more than ${MAX_POSITION_LENGTH}. ${SEND_IT}`
          : `since is damaged: characters were lost or changed, or this API did not make it. ${SEND_IT}`;
      return { code: "malformed_value", message, value: shortened(text), suggestion: START };
    },
  });
}

const SEND_IT =
  "Send `next` of the page before, or `X-Changes-Since` of an export, unchanged; or `start` to begin with everything.";
