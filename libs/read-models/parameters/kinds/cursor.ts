import { z } from "zod";
import { type Cursor, decodeCursor, encodeCursor, MAX_CURSOR_LENGTH } from "../../query/cursor.ts";
import { shortened } from "../query-string.ts";
import { type Kind, scalar, SENT } from "./kind.ts";

/** A cursor of any list. */
export function cursor(): Kind<Cursor> {
  const made = scalar<Cursor, Cursor>({
    schema: z.custom<Cursor>(),
    read(text) {
      const value = decodeCursor(text);
      if (value) return { value };
      const message =
        text.length > MAX_CURSOR_LENGTH
          ? `cursor has ${text.length} characters; no cursor has more than ${MAX_CURSOR_LENGTH}. ${SEND_IT}`
          : `cursor is damaged: characters were lost or changed, or this API did not make it. ${SEND_IT}`;
      return { code: "malformed_value", message, value: shortened(text) };
    },
    write: encodeCursor,
  });
  SENT.set(
    made,
    z
      .string()
      .max(MAX_CURSOR_LENGTH)
      .regex(/^[A-Za-z0-9_-]+$/),
  );
  return made;
}

const SEND_IT = "Send `next_cursor` of the page before, unchanged.";
