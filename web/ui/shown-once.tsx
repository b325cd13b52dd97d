import type { ComponentChildren } from "preact";
import { Dialog } from "./dialog.tsx";
import { Notice } from "./states.tsx";

/** Shows a new key, link or secret, this once. Escape does not close it. */
export function ShownOnce({
  title,
  what,
  because,
  close,
  children,
}: {
  title: string;
  /** Completes "Copy …": "the key". */
  what: string;
  /** Completes "It is shown only this once, because …". */
  because?: string;
  close: () => void;
  children: ComponentChildren;
}) {
  return (
    <Dialog title={title} close={close} busy>
      <Notice kind="warning">
        <p>
          <strong>Copy {what} now.</strong> It is shown only this once{because && `, because ${because}`}.
        </p>
      </Notice>
      {children}
      <div class="row end">
        <button type="button" class="button primary" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
