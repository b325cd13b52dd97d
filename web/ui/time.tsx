const moment = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
});

/** A time in the reader's time zone, such as "23 Nov 2026, 17:30". `none` stands where there is no time. */
export function Time({ at, none = "never" }: { at: string | null; none?: string }) {
  if (at === null) return <span class="muted">{none}</span>;
  return (
    <time dateTime={at} title={at}>
      {moment.format(new Date(at))}
    </time>
  );
}
