import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

type DialogComponent = ComponentType<{ close: () => void }>;

/** Opens the search, by a click or by the key `/`. Search and index load when it opens first. */
export function SearchButton() {
  const [isOpen, setOpen] = useState(false);
  const [SearchDialog, setDialog] = useState<DialogComponent>();
  useEffect(() => {
    if (isOpen) void import("./search/search-dialog.tsx").then((loaded) => setDialog(() => loaded.default));
  }, [isOpen]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest("input, textarea, select, [contenteditable]") !== null;
      const isSearch = event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey));
      if (!isSearch || (isTyping && event.key === "/")) return;
      event.preventDefault();
      setOpen(true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <>
      <button type="button" class="button" aria-keyshortcuts="/" onClick={() => setOpen(true)}>
        Search <kbd>/</kbd>
      </button>
      {isOpen && SearchDialog && <SearchDialog close={() => setOpen(false)} />}
    </>
  );
}
