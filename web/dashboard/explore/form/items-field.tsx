import { useEffect, useRef, useState } from "preact/hooks";
import type { ControlAttributes } from "../../../ui/field.tsx";
import type { ListItem } from "../request/list-text.ts";
import { Chips } from "./chips.tsx";
import "./items-field.css";
import { labelOf, type Source, type Suggestion } from "./suggestions.ts";
import { useSuggestions } from "./use-suggestions.ts";

const KEYS = ["ArrowDown", "ArrowUp", "Enter", "Escape", "Backspace"];

/**
 * A list: a text with suggestions, and what was chosen as chips. The text follows the ARIA pattern of an editable combobox with automatic
 * selection: the first suggestion is active, arrows move, Enter or leaving the field chooses, Escape closes. The last option sends the text
 * as it was typed, because the API knows more names than it suggests.
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
  const [entered, setEntered] = useState(false);
  const [added, setAdded] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const excluded = excludes && text.startsWith("!");
  const wanted = (excluded ? text.slice(1) : text).trim();
  const { state, suggestions, settled } = useSuggestions(source, wanted, open);
  // Last and not earlier than the suggestions, so that no option moves under the pointer.
  const asWritten = source?.free && wanted !== "" && settled && state === "ready";
  const options = asWritten
    ? [...suggestions, { value: wanted, label: `Search for '${wanted}' as written` }]
    : suggestions;
  const shown = open && options.length > 0;
  // Nothing is active for an empty text, so that Enter submits the form, nor among the options of an earlier text.
  const first = wanted === "" ? undefined : 0;
  const at = shown && settled ? (active ?? first) : undefined;
  const listId = `${attributes.id}-list`;
  const optionId = (index: number) => `${attributes.id}-option-${index}`;

  const close = () => {
    setOpen(false);
    setActive(undefined);
    setEntered(false);
  };
  const add = (value: string) => {
    setAdded(labelOf(field, value));
    if (!items.some((item) => item.text === value)) change([...items, { text: value, excluded }]);
    setText("");
    close();
  };
  /** Takes the active option. Without one, such as where nothing is suggested, it takes the text. */
  const choose = () => {
    const value = at === undefined ? wanted : options[at]!.value;
    if (value !== "") add(value);
  };
  // Whoever types quickly presses Enter before the suggestions are there.
  useEffect(() => {
    if (entered && settled) choose();
  }, [entered, settled]);
  const move = (by: 1 | -1) => {
    setOpen(true);
    if (!shown || !settled) return;
    setActive(((at ?? (by > 0 ? -1 : 0)) + by + options.length) % options.length);
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
      close();
    }
    if (event.key === "Enter") {
      if (settled) choose();
      else setEntered(true);
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
            setEntered(false);
          }}
          onKeyDown={press}
          onClick={() => setOpen(true)}
          onBlur={() => {
            if (wanted === "") close();
            else if (settled) choose();
            else setEntered(true);
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
            {options.map((option, index) => (
              <Option
                key={optionId(index)}
                id={optionId(index)}
                option={option}
                active={index === at}
                choose={() => add(option.value)}
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

function Option({
  id,
  option: { label, detail, value },
  active,
  choose,
}: {
  id: string;
  option: Suggestion;
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
