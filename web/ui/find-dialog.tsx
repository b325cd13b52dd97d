import { useEffect, useRef, useState } from "preact/hooks";
import { Dialog } from "./dialog.tsx";
import "./find-dialog.css";

/** Something that was found. `kind` tells it apart from others of the same name. */
export type Hit = { href: string; title: string; kind?: string };

/** The search of a site: a field, and below it what matches, which the arrow keys choose and Enter opens. */
export function FindDialog({
  title,
  status,
  hits,
  busy = false,
  search,
  open,
  close,
}: {
  title: string;
  /** What can be found, or how much was. */
  status: string;
  hits: readonly Hit[];
  /** More hits are on their way: Enter waits for them, so that whoever types quickly gets what was meant. */
  busy?: boolean;
  /** Is called with the text whenever it changes. */
  search: (text: string) => void;
  open: (hit: Hit) => void;
  close: () => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const [entered, setEntered] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const at = Math.min(chosen, hits.length - 1);
  const choose = (hit: Hit | undefined) => {
    if (!hit) return;
    close();
    open(hit);
  };
  useEffect(() => {
    if (entered && !busy) choose(hits[at]);
  }, [entered, busy]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && hits.length > 0) {
      event.preventDefault();
      setChosen((at + step + hits.length) % hits.length);
    } else if (event.key === "Enter" && !event.isComposing) {
      event.preventDefault();
      if (busy) setEntered(true);
      else choose(hits[at]);
    }
  };
  const show = (element: HTMLLIElement | null) => element?.scrollIntoView({ block: "nearest" });
  return (
    <Dialog title={title} close={close}>
      <input
        ref={field}
        class="input"
        type="text"
        maxLength={100}
        autoComplete="off"
        spellcheck={false}
        aria-label={title}
        role="combobox"
        aria-expanded={hits.length > 0}
        aria-controls="hits"
        aria-autocomplete="list"
        aria-activedescendant={hits.length > 0 ? `hit-${at}` : undefined}
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          setChosen(0);
          setEntered(false);
          search(value);
        }}
        onKeyDown={onKey}
      />
      <p class="muted" role="status">
        {status}
      </p>
      <ul id="hits" role="listbox" aria-label="Matches" class="hits anywhere">
        {hits.map((hit, n) => (
          <li
            key={hit.href}
            ref={n === at ? show : undefined}
            id={`hit-${n}`}
            role="option"
            aria-selected={n === at}
            onClick={() => choose(hit)}
          >
            <span class="title">{hit.title}</span>
            {hit.kind !== undefined && <span class="muted"> {hit.kind}</span>}
          </li>
        ))}
      </ul>
      <div class="row end">
        <button type="button" class="button" onClick={close}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
