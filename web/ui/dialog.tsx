import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import "./dialog.css";

/**
 * A modal dialog, there as long as it is rendered. Escape calls `close`, unless it is `busy`. The focus goes back to where it was when
 * the dialog is gone.
 */
export function Dialog({
  title,
  close,
  busy = false,
  children,
}: {
  title: string;
  close: () => void;
  busy?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current!.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const cancel = (event: Event) => {
    event.preventDefault();
    if (!busy) close();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog stack"
      aria-labelledby={id}
      // Of two cancellations in a row a browser asks only for the first, so the key is taken before it cancels.
      onClose={close}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) cancel(event);
      }}
      onCancel={cancel}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
