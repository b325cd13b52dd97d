import { useEffect, useRef, useState } from "preact/hooks";
import type { ControlAttributes } from "../../../ui/field.tsx";
import type { ListItem } from "../request/list-text.ts";
import { Items } from "./items.tsx";
import "./items-field.css";
import { labelOf, type Source, type Suggestion } from "./suggestions.ts";
import { useSuggestions } from "./use-suggestions.ts";

/**
 * A list: what was chosen, and a text with suggestions for more. The text follows the ARIA pattern of an editable combobox with automatic
 * selection: the first suggestion is active, arrows move, Enter or leaving the field chooses, Escape takes the text away. The last option
 * sends the text as it was typed, because the API knows more names than it suggests.
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
  const [active, setActive] = useState<number>();
  const [entered, setEntered] = useState(false);
  const [added, setAdded] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const excluded = excludes && text.startsWith("!");
  const wanted = (excluded ? text.slice(1) : text).trim();
  const { state, suggestions, settled } = useSuggestions(source, wanted);
  const unchosen = suggestions.filter(({ value }) => !items.some((item) => item.text === value));
  // Last and not earlier than the suggestions, so that no option moves under the pointer.
  const asWritten = source?.free && wanted !== "" && settled && state === "ready";
  const options = asWritten ? [...unchosen, { value: wanted, label: `Search for '${wanted}' as written` }] : unchosen;
  const shown = options.length > 0;
  // Nothing is active for an empty text, so that Enter closes the filter, nor among the options of an earlier text.
  const first = wanted === "" ? undefined : 0;
  const at = shown && settled ? (active ?? first) : undefined;
  const listId = `${attributes.id}-list`;
  const optionId = (index: number) => `${attributes.id}-option-${index}`;

  const type = (typed: string) => {
    setText(typed);
    setAdded(undefined);
    setActive(undefined);
    setEntered(false);
  };
  const add = (value: string) => {
    type("");
    setAdded(labelOf(field, value));
    if (!items.some((item) => item.text === value)) change([...items, { text: value, excluded }]);
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
  const chooseSoon = () => (settled ? choose() : setEntered(true));
  const move = (by: 1 | -1) => {
    if (shown && settled) setActive(((at ?? (by > 0 ? -1 : 0)) + by + options.length) % options.length);
  };
  /** What a key does here; without it, the key is the popover's. */
  const keys: Record<string, (() => void) | undefined> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Escape: text === "" ? undefined : () => type(""),
    Enter: text === "" && at === undefined ? undefined : chooseSoon,
    Backspace: text === "" && items.length > 0 ? () => change(items.slice(0, -1)) : undefined,
  };

  return (
    <div class="list-field">
      <Items field={field} items={items} excludes={excludes} change={change} removed={() => input.current?.focus()} />
      <input
        {...attributes}
        ref={input}
        class="input"
        type="text"
        role="combobox"
        autoComplete="off"
        spellcheck={false}
        maxLength={500}
        placeholder={source?.closed ? "Find in the list" : "Type a name"}
        aria-autocomplete="list"
        aria-expanded={shown}
        {...(shown ? { "aria-controls": listId } : {})}
        {...(at === undefined ? {} : { "aria-activedescendant": optionId(at) })}
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          const act = event.isComposing ? undefined : keys[event.key];
          // A key that is held to take the text away takes no chosen one.
          if (act === undefined || (event.key === "Backspace" && event.repeat)) return;
          event.preventDefault();
          act();
        }}
        onBlur={() => wanted !== "" && chooseSoon()}
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
              key={option.value}
              id={optionId(index)}
              option={option}
              active={index === at}
              choose={() => add(option.value)}
            />
          ))}
        </ul>
      )}
      <span class="visually-hidden" role="status">
        {added !== undefined && `${added} added`}
        {added === undefined && wanted !== "" && state === "ready" && `${unchosen.length} suggestions`}
      </span>
      {state === "failed" && (
        <p class="muted hint" role="status">
          There are no suggestions now. Enter the whole name.
        </p>
      )}
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
