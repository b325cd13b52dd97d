import type { Problem } from "../../../ui/request.ts";
import type { ListItem } from "../request/list-text.ts";
import { labelOf } from "./suggestions.ts";

/** Puts what the API suggests in the place of an item that it does not know. */
export function Corrections({
  field,
  items,
  problems,
  change,
}: {
  field: string;
  items: readonly ListItem[];
  problems: readonly Problem[];
  change: (items: readonly ListItem[]) => void;
}) {
  const corrections = problems.flatMap(({ value, suggestion }) => {
    const wrong = items.find(({ text }) => text === value);
    return wrong && suggestion !== undefined ? [{ wrong, suggestion }] : [];
  });
  if (corrections.length === 0) return null;
  const replace = (wrong: ListItem, text: string) => {
    const others = items.filter((item) => item.text !== text);
    change(others.map((item) => (item === wrong ? { ...wrong, text } : item)));
  };
  return (
    <div class="row">
      {corrections.map(({ wrong, suggestion }) => (
        <button key={wrong.text} type="button" class="button" onClick={() => replace(wrong, suggestion)}>
          Use {labelOf(field, suggestion)}
        </button>
      ))}
    </div>
  );
}
