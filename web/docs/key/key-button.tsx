import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { onKeyChange, readKey } from "./key.ts";

type DialogComponent = ComponentType<{ close: () => void }>;

/** Shows whether the examples use the reader's key, and opens the dialog to enter or forget it. */
export function KeyButton() {
  const [key, setShown] = useState(readKey);
  const [isOpen, setOpen] = useState(false);
  const [KeyDialog, setDialog] = useState<DialogComponent>();
  useEffect(() => onKeyChange(() => setShown(readKey())), []);
  useEffect(() => {
    if (isOpen) void import("./key-dialog.tsx").then((loaded) => setDialog(() => loaded.default));
  }, [isOpen]);
  return (
    <>
      <button type="button" class="button" onClick={() => setOpen(true)}>
        {key === "" ? "Your key" : "Your key ✓"}
      </button>
      {isOpen && KeyDialog && <KeyDialog close={() => setOpen(false)} />}
    </>
  );
}
