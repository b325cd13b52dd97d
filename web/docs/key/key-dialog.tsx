import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { readKey, setKey } from "./key.ts";

/** Asks for the key that the examples use. */
export default function KeyDialog({ close }: { close: () => void }) {
  const [text, setText] = useState(readKey);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const keep = (key: string) => {
    setKey(key);
    close();
  };
  return (
    <Dialog title="Your key in the examples" close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          keep(text.trim());
        }}
      >
        <p>
          With your key, every example runs as it is copied, and the links in tables send their requests. Keys are made
          in the <a href="/dashboard">dashboard</a>.
        </p>
        <div class="field">
          <label for="examples-key">Your key</label>
          <input
            ref={field}
            id="examples-key"
            class="input"
            type="password"
            autocomplete="off"
            spellcheck={false}
            placeholder="trn_…"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <span class="hint">It stays in this tab, and is sent to this service only.</span>
        </div>
        <div class="row end">
          {readKey() !== "" && (
            <button type="button" class="button" onClick={() => keep("")}>
              Forget it
            </button>
          )}
          <button type="button" class="button" onClick={close}>
            Close
          </button>
          <button type="submit" class="button primary">
            Use it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
