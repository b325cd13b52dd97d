import { shownTime } from "./figures.ts";

/** A moment, in UTC; a dash where there is none. */
export function UtcTime({ of }: { of: string | null }) {
  if (of === null) return <span class="muted">–</span>;
  return (
    <time class="time" dateTime={of}>
      {shownTime(of)}
    </time>
  );
}
