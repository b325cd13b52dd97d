import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";

/** The attributes of the control inside a field. */
export type ControlAttributes = { id: string; "aria-describedby"?: string; "aria-invalid"?: true };

/** A label, a control, a hint and what is wrong with the value. `children` gets the attributes that connect them. */
export function Field({
  label,
  hint,
  problem,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  problem?: string | undefined;
  children: (attributes: ControlAttributes) => ComponentChildren;
}) {
  const id = useId();
  const described = [hint !== undefined && `${id}-hint`, problem !== undefined && `${id}-problem`].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(described.length > 0 ? { "aria-describedby": described.join(" ") } : {}),
        ...(problem === undefined ? {} : { "aria-invalid": true }),
      })}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem !== undefined && (
        <p class="problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
