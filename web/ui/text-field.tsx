import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";

/** A line of text in a form. The other attributes are those of the input. */
export function TextField({
  label,
  hint,
  problem,
  value,
  set,
  ...attributes
}: {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  value: string;
  set: (value: string) => void;
  type?: "text" | "search" | "email" | "date" | "number" | "password";
  required?: boolean;
  autofocus?: boolean;
  autocomplete?: string;
  maxLength?: number;
  min?: string;
  placeholder?: string;
}) {
  // Preact types `input` once for each kind; which one this is is known only when it is drawn.
  const own: object = { type: "text", autocomplete: "off", ...attributes };
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(connected) => (
        <input
          {...connected}
          {...own}
          class="input"
          value={value}
          onInput={({ currentTarget }) => set(currentTarget.value)}
        />
      )}
    </Field>
  );
}
