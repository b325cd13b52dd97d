import type { ComponentChildren } from "preact";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { shownClock } from "./figures.ts";
import type { Live } from "./use-live.ts";

/** Shows what was read; before that, that it is being read. When a later reading fails, the last values stay, with a notice. */
export function LivePage<T>({
  live,
  what,
  children,
}: {
  live: Live<T>;
  what: string;
  children: (value: T) => ComponentChildren;
}) {
  const { value, readAt, error, reload } = live;
  if (value === undefined) return error ? <Failed error={error} retry={reload} /> : <Loading what={what} />;
  return (
    <>
      {error && (
        <Notice kind="warning">
          <p>
            <strong>These are the values of {shownClock(readAt!)}.</strong>{" "}
            {error.code === "offline" ? "The service can't be reached." : error.message} The page keeps trying.
          </p>
        </Notice>
      )}
      {children(value)}
    </>
  );
}
