import type { PlanView } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { shownNumber } from "./figures.ts";

/** Chooses a plan in force. */
export function PlanField({
  plans,
  value,
  set,
  problem,
}: {
  plans: readonly PlanView[];
  value: string;
  set: (plan: string) => void;
  problem?: string | undefined;
}) {
  return (
    <Field label="Plan" problem={problem}>
      {(attributes) => (
        <select
          {...attributes}
          class="input"
          required
          value={value}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        >
          {plans.map(({ id, name, quota }) => (
            <option key={id} value={id}>
              {name} ({shownNumber(quota)} requests per month)
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
