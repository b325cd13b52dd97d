import { z } from "zod";
import { decodePosition, encodePosition, MAX_POSITION_LENGTH, type ProvenPosition } from "../../feed/position-text.ts";
import { shortened } from "../query-string.ts";
import { type Complaint, type Kind, scalar, SENT } from "./kind.ts";

/** Everything that there is comes first. */
export const START = "start";

/** Where a reader of a feed continues: at the start, at a time in ms, or at a position of any list. */
export type Since = typeof START | { time: number } | ProvenPosition;

const time = z.iso.datetime({ offset: true, precision: null });
/** RFC 3339 has seconds. A blank before the offset is a `+` that was sent raw. */
const TIME_FORM = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+ -]\d\d:\d\d)$/i;

/** A position in the feed of any list, a time or `start`. */
export function since(): Kind<Since> {
  const made = scalar<Since, Since>({
    schema: z.custom<Since>(),
    read(text) {
      const value = text === START ? START : decodePosition(text);
      if (value !== undefined) return { value };
      if (text.includes(":") || /^\d{4}-\d\d-\d\d$/.test(text)) return readTime(text);
      const message =
        text.length > MAX_POSITION_LENGTH
          ? `since has ${text.length} characters; no position has more than ${MAX_POSITION_LENGTH}. ${SEND_IT}`
          : `since is damaged: characters were lost or changed, or this API did not make it. ${SEND_IT}`;
      return { code: "malformed_value", message, value: shortened(text), suggestion: START };
    },
    write: sinceText,
  });
  SENT.set(
    made,
    z
      .string()
      .max(MAX_POSITION_LENGTH)
      .regex(/^[A-Za-z0-9_:.+-]+$/),
  );
  return made;
}

/** As callers send it. */
export function sinceText(value: Since): string {
  if (value === START) return START;
  return "time" in value ? new Date(value.time).toISOString() : encodePosition(value);
}

const SEND_IT =
  "Send `next` of the page before, or `X-Changes-Since` of an export, unchanged; a time such as 2026-03-14T09:00:00Z; or `start` to begin with everything.";

function readTime(text: string): { value: { time: number } } | Complaint {
  const sent = text
    .replace(TIME_FORM, (_, local: string, offset: string) => local + offset.replace(" ", "+"))
    .toUpperCase();
  if (TIME_FORM.test(text) && time.safeParse(sent).success) return { value: { time: Date.parse(sent) } };
  return {
    code: "malformed_value",
    message: `since has a time of another form, or one that does not exist. Send it with seconds and offset as RFC 3339 has it, such as 2026-03-14T09:00:00Z or 2026-03-14T10:00:00%2B01:00. Or send a position: \`next\` of the page before, or \`start\`.`,
    value: shortened(text),
  };
}
