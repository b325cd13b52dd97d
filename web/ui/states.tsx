import type { ComponentChildren } from "preact";
import type { RequestFailed } from "./request.ts";
import type { Loaded } from "./use-load.ts";

/** A box that says something about the page. */
export function Notice({
  kind = "info",
  children,
}: {
  kind?: "info" | "warning" | "danger";
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${kind === "info" ? "" : kind}`} role={kind === "danger" ? "alert" : "status"}>
      {children}
    </div>
  );
}

/** Says what was just done, if anything was. */
export const Done = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <Notice>
      <p>{text}</p>
    </Notice>
  );

/** Stands where content will be. */
export function Loading({ what }: { what: string }) {
  return (
    <p class="muted" role="status">
      Loading {what} …
    </p>
  );
}

/** Rows in grey where content will be, so that the page does not jump when it comes. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">Loading …</span>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Says that there is nothing, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="card stack">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** A failed request: its error, the request id, and a way to try again. */
export function Failed({ error, retry }: { error: RequestFailed; retry?: () => void }) {
  const offline = error.code === "offline";
  return (
    <Notice kind="danger">
      <p>
        <strong>{offline ? "The service can't be reached." : error.message}</strong>
      </p>
      {offline && <p>Check your connection. The data shown may be out of date.</p>}
      {error.retryAfterSeconds !== undefined && <p>Try again in {error.retryAfterSeconds} s.</p>}
      {error.requestId !== undefined && (
        <p class="muted">
          Request id: <code>{error.requestId}</code>
        </p>
      )}
      {retry && (
        <p>
          <button type="button" class="button" onClick={retry}>
            Try again
          </button>
        </p>
      )}
    </Notice>
  );
}

/** Says that something is being read for the first time, or why it could not be read. A value from before stays on the page beside it. */
export function Reading({ of: loaded, rows }: { of: Loaded<unknown> & { reload: () => void }; rows: number }) {
  if (loaded.state === "failed") return <Failed error={loaded.error} retry={loaded.reload} />;
  return loaded.state === "loading" && loaded.value === undefined ? <Skeleton rows={rows} /> : null;
}
