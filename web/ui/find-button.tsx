import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

type DialogComponent = ComponentType<{ close: () => void }>;

/** Opens the search of the site, by a click, by the key `/` or by Ctrl-K. `load` gets its dialog when it opens first. */
export function FindButton({ load }: { load: () => Promise<{ default: DialogComponent }> }) {
  const [isOpen, setOpen] = useState(false);
  const [FindDialog, setDialog] = useState<DialogComponent>();
  useEffect(() => {
    if (!isOpen) return;
    load().then(
      (loaded) => setDialog(() => loaded.default),
      () => setOpen(false),
    );
  }, [isOpen]);
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input, textarea, select, [contenteditable]") !== null;
      const isSearch = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
      // Another dialog stays in front.
      const isBusy = document.querySelector("dialog[open]") !== null;
      if (!isSearch || isBusy || (isTyping && event.key === "/")) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button type="button" class="button find" aria-keyshortcuts="/ Control+K" onClick={() => setOpen(true)}>
        Search <kbd>/</kbd>
      </button>
      {isOpen && FindDialog && <FindDialog close={() => setOpen(false)} />}
    </>
  );
}
