import { z } from "zod";
import { WrongUsage } from "../terminal/failure.ts";

const moment = z.iso.date().or(z.iso.datetime({ offset: true }));

/** An expiry as ISO time. `now` in ms; throws WrongUsage when the text is not a valid date or not in the future. */
export function expiry(text: string, now: number): string {
  const parsed = moment.safeParse(text);
  if (!parsed.success)
    throw new WrongUsage(
      `--expires: '${text}' is not a valid date; expected YYYY-MM-DD or a time like 2027-01-31T18:00:00Z.`,
    );
  const at = Date.parse(parsed.data);
  if (at <= now) throw new WrongUsage(`--expires: ${text} is not in the future.`);
  return new Date(at).toISOString();
}

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** A length of time like 24h, in seconds. `option`: the one that gives it. Throws WrongUsage. */
export function seconds(option: string, text: string): number {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  if (!match)
    throw new WrongUsage(`${option}: '${text}' is not a valid length of time; expected one like 90s, 30m, 24h or 7d.`);
  return Number(match[1]) * UNITS[match[2]!]!;
}
