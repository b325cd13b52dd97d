import { z } from "zod";
import { shortened } from "../query-string.ts";
import { type Kind, scalar } from "./kind.ts";

const day = z.iso.date();

/** A day that exists in the calendar, YYYY-MM-DD. */
export function date(): Kind<string> {
  return scalar({
    schema: day,
    read: (text) =>
      day.safeParse(text).success
        ? { value: text }
        : {
            code: "malformed_value",
            ...(/^\d{4}-\d{2}-\d{2}$/.test(text)
              ? { message: `The calendar has no day ${text}.` }
              : { expected: "a date as YYYY-MM-DD, such as 2025-03-14" }),
            value: shortened(text),
          },
  });
}
