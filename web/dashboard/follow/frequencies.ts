import type { Frequency } from "../../../libs/webhooks/follow.ts";

export type { Frequency } from "../../../libs/webhooks/follow.ts";

/** How often a follow tells, with what that means. */
export const FREQUENCIES: readonly (readonly [every: Frequency, text: string, hint: string])[] = [
  ["at_once", "At once", "at most once in 15 minutes, 20 times a day"],
  ["daily", "Every day", "at 07:00 UTC, when there is something"],
  ["weekly", "Every week", "on Mondays at 07:00 UTC"],
];
