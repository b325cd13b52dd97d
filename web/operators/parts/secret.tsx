import { CodeBlock } from "../../ui/code-block.tsx";
import { Dialog } from "../../ui/dialog.tsx";

/** A text that is shown once: a key or a link. */
export function Secret({
  title,
  text,
  what,
  hint,
  close,
}: {
  title: string;
  text: string;
  /** Completes "Copy …": "the key". */
  what: string;
  hint: string;
  close: () => void;
}) {
  return (
    <Dialog title={title} close={close}>
      <CodeBlock code={text} what={what} />
      <p class="muted">{hint}</p>
      <div class="row end">
        <button type="button" class="button primary" onClick={close}>
          Done
        </button>
      </div>
    </Dialog>
  );
}
