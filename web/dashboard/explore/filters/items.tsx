import type { ListItem } from "../request/list-text.ts";
import { labelOf } from "./suggestions.ts";

/** The items of a list. Each can be switched between included and excluded, and taken away. */
export function Items({
  field,
  items,
  excludes,
  change,
  removed,
}: {
  field: string;
  items: readonly ListItem[];
  excludes: boolean;
  change: (items: readonly ListItem[]) => void;
  /** Moves the focus to the next place, because the button that had it is gone. */
  removed: () => void;
}) {
  if (items.length === 0) return null;
  const others = (item: ListItem) => items.filter((one) => one !== item);
  return (
    <ul class="list-items">
      {items.map((item) => {
        const name = labelOf(field, item.text);
        const { text, excluded } = item;
        return (
          <li key={text} class={`list-item ${excluded ? "excluded" : ""}`}>
            {excludes && (
              <button
                type="button"
                class="list-item-switch"
                title={excluded ? "Include it" : "Exclude it"}
                onClick={() => change(items.map((one) => (one === item ? { text, excluded: !excluded } : one)))}
              >
                {excluded ? "not" : "is"}
                <span class="visually-hidden">{` ${name}: ${excluded ? "include" : "exclude"} it`}</span>
              </button>
            )}
            <span class="list-item-name">{name}</span>
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => {
                change(others(item));
                removed();
              }}
            >
              <span aria-hidden="true">×</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
