import { useRef, useState } from "preact/hooks";
import type { ControlAttributes } from "../../../ui/field.tsx";
import type { ListItem } from "../request/list-text.ts";
import { Chips } from "./chips.tsx";
import "./items-field.css";
import { labelOf, matching, type Source, type Suggestion } from "./suggestions.ts";
import { useSuggestions } from "./use-suggestions.ts";

const KEYS = ["ArrowDown", "ArrowUp", "Enter", "Escape", "Backspace"];

/**
 * A list: a text with suggestions, and what was chosen as chips. The text follows the ARIA pattern of an editable combobox: arrows move
 * through the suggestions, Enter chooses, Escape closes. Any text can be entered, because the API knows more names than it suggests.
 */
export function ItemsField({
  field,
  label,
  source,
  excludes,
  items,
  change,
  attributes,
}: {
  field: string;
  label: string;
  source: Source | undefined;
  excludes: boolean;
  items: readonly ListItem[];
  change: (items: readonly ListItem[]) => void;
  attributes: ControlAttributes;
}) {
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState<number>();
  const [added, setAdded] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const excluded = excludes && text.startsWith("!");
  const wanted = (excluded ? text.slice(1) : text).trim();
  const { state, suggestions } = useSuggestions(source, wanted, open);
  const shown = open && suggestions.length > 0;
  const at = shown && active !== undefined && active < suggestions.length ? active : undefined;
  const listId = `${attributes.id}-list`;
  const optionId = (index: number) => `${attributes.id}-option-${index}`;

  const add = (value: string) => {
    setAdded(labelOf(field, value));
    if (!items.some((item) => item.text === value)) change([...items, { text: value, excluded }]);
    setText("");
    setActive(undefined);
  };
  /** Takes what was typed. A word of a closed vocabulary may be typed as it is shown. */
  const take = () => {
    if (wanted === "") return;
    const best = source?.closed ? matching(suggestions, wanted)[0] : undefined;
    add(best && isSame(best, wanted) ? best.value : wanted);
  };
  const move = (by: 1 | -1) => {
    setOpen(true);
    if (suggestions.length === 0) return;
    setActive((last) => ((last ?? (by > 0 ? -1 : 0)) + by + suggestions.length) % suggestions.length);
  };
  const press = (event: KeyboardEvent) => {
    if (!KEYS.includes(event.key) || event.isComposing) return;
    if (event.key === "Backspace") {
      if (text === "" && items.length > 0) change(items.slice(0, -1));
      return;
    }
    if (event.key === "Enter" && text === "" && at === undefined) return;
    event.preventDefault();
    if (event.key === "ArrowDown") move(1);
    if (event.key === "ArrowUp") move(-1);
    if (event.key === "Escape") {
      if (!open) setText("");
      setOpen(false);
      setActive(undefined);
    }
    if (event.key === "Enter") {
      if (at === undefined) take();
      else add(suggestions[at]!.value);
    }
  };

  return (
    <div class="list-field">
      <Chips field={field} items={items} excludes={excludes} change={change} removed={() => input.current?.focus()} />
      <div class="list-field-combobox">
        <input
          {...attributes}
          ref={input}
          class="input"
          type="text"
          role="combobox"
          autoComplete="off"
          spellcheck={false}
          maxLength={500}
          aria-autocomplete="list"
          aria-expanded={shown}
          {...(shown ? { "aria-controls": listId } : {})}
          {...(at === undefined ? {} : { "aria-activedescendant": optionId(at) })}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setAdded(undefined);
            setOpen(true);
            setActive(undefined);
          }}
          onKeyDown={press}
          onClick={() => setOpen(true)}
          onBlur={() => {
            setOpen(false);
            take();
          }}
        />
        {shown && (
          <ul
            class="list-field-options"
            id={listId}
            role="listbox"
            aria-label={`Suggestions for ${label}`}
            // The field keeps the focus, so a click does not take the text first.
            onMouseDown={(event) => event.preventDefault()}
          >
            {suggestions.map((suggestion, index) => (
              <Option
                key={suggestion.value}
                id={optionId(index)}
                suggestion={suggestion}
                active={index === at}
                choose={() => add(suggestion.value)}
              />
            ))}
          </ul>
        )}
      </div>
      <span class="visually-hidden" role="status">
        {added !== undefined && `${added} added`}
        {open && state === "ready" && (source?.closed !== true || wanted !== "") && `${suggestions.length} suggestions`}
        {open && state === "failed" && "There are no suggestions now. Enter the whole name."}
      </span>
      {open && state === "failed" && <p class="muted hint">There are no suggestions now. Enter the whole name.</p>}
    </div>
  );
}

const isSame = ({ value, label }: Suggestion, text: string): boolean =>
  [value, label].some((known) => known.toLowerCase() === text.toLowerCase());

function Option({
  id,
  suggestion: { label, detail, value },
  active,
  choose,
}: {
  id: string;
  suggestion: Suggestion;
  active: boolean;
  choose: () => void;
}) {
  const show = (element: HTMLLIElement | null) => {
    if (active) element?.scrollIntoView({ block: "nearest" });
  };
  return (
    <li ref={show} id={id} role="option" aria-selected={active} class="list-field-option" onClick={choose}>
      <span>{label || value}</span>
      {detail !== undefined && <span class="muted">{detail}</span>}
    </li>
  );
}
