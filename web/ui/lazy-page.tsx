import type { ComponentType } from "preact";
import { lazy } from "preact-iso";
import { Notice } from "./states.tsx";

/** A page whose script is loaded when it is first shown. One that does not come says so: without that, the page before it would just stay. */
export const lazyPage = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy<ComponentType<Props>>(() =>
    load().catch((error: unknown) => {
      // A script that came and failed would leave no trace otherwise.
      console.error(error);
      return { default: NotLoaded as ComponentType<Props> };
    }),
  );

/** Reads the whole page again: also after an upgrade, when the scripts of before are gone. */
function NotLoaded() {
  return (
    <div class="stack">
      <h1>This page can't be loaded</h1>
      <Notice kind="danger">
        <p>Check your connection, and try again.</p>
        <p>
          <button type="button" class="button" onClick={() => location.reload()}>
            Try again
          </button>
        </p>
      </Notice>
    </div>
  );
}
