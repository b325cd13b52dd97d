import { z } from "zod";
import { decodeCursor, MAX_CURSOR_LENGTH } from "../../cursor/cursor.ts";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

/** A cursor of any list. Its value is the text. */
export function cursor(): Kind<string> {
  return scalar({
    schema: z
      .string()
      .max(MAX_CURSOR_LENGTH)
      .regex(/^[A-Za-z0-9_-]+$/),
    read(text) {
      if (decodeCursor(text)) return { value: text };
      const message =
        text.length > MAX_CURSOR_LENGTH
          ? `cursor has ${text.length} characters; no cursor has more than ${MAX_CURSOR_LENGTH}. ${SEND_IT}`
          : `cursor is damaged: characters were lost or changed, or this API did not make it. ${SEND_IT}`;
      return { code: "malformed_value", message, value: shortened(text) };
    },
  });
}

const SEND_IT = "Send `next_cursor` of the page before, unchanged.";
