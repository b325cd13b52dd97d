import type { ComponentChildren } from "preact";
import { Field } from "../../ui/field.tsx";

/** A line of text in a form. */
export function TextField({
  label,
  hint,
  problem,
  value,
  set,
  type = "text",
  required = false,
}: {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  value: string;
  set: (value: string) => void;
  type?: "text" | "search" | "email" | "date";
  required?: boolean;
}) {
  // Preact types `input` once for each kind; which one this is is known only when it is drawn.
  const kind: object = { type };
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(attributes) => (
        <input
          {...attributes}
          {...kind}
          required={required}
          class="input"
          autocomplete="off"
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}
