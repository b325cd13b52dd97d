import { useState } from "preact/hooks";
import type { CreatedKeyView } from "../../../apps/dashboard/routes/keys.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed } from "../../ui/states.tsx";
import { NewKey } from "./new-key.tsx";
import { useDialogRequest } from "./use-dialog-request.ts";

const EXPIRIES = [
  ["never", "Does not expire"],
  ["30", "In 30 days"],
  ["90", "In 90 days"],
  ["365", "In a year"],
  ["date", "On a date"],
] as const;

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Asks for name and expiry, creates a key and shows it. */
export function CreateKey({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState<string>("never");
  const [date, setDate] = useState("");
  const { send, sending, error, result } = useDialogRequest<CreatedKeyView>();
  const create = (event: Event) => {
    event.preventDefault();
    const expires =
      expiry === "never" ? {} : expiry === "date" ? { expires_on: date } : { expires_in_days: Number(expiry) };
    void send("/keys", { name, ...expires });
  };
  const problemOf = (parameter: string) => (error?.parameter === parameter ? error.message : undefined);
  return (
    <Dialog title={result ? "Your new key" : "Create a key"} close={close} busy={sending || result !== undefined}>
      {result ? (
        <NewKey secret={result.key} close={close} />
      ) : (
        <form class="stack" onSubmit={create} noValidate>
          {error && error.parameter === undefined && <Failed error={error} />}
          <Field label="Name" hint="What the key is for, such as “nightly export”." problem={problemOf("name")}>
            {(control) => (
              <input
                {...control}
                class="input"
                autoComplete="off"
                autofocus
                value={name}
                onInput={({ currentTarget }) => setName(currentTarget.value)}
              />
            )}
          </Field>
          <Field label="Expires" problem={problemOf("expires_in_days")}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={expiry}
                onChange={({ currentTarget }) => setExpiry(currentTarget.value)}
              >
                {EXPIRIES.map(([value, text]) => (
                  <option key={value} value={value}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
          {expiry === "date" && (
            <Field label="Date" hint="The key works until 00:00 UTC of that day." problem={problemOf("expires_on")}>
              {(control) => (
                <input
                  {...control}
                  class="input"
                  type="date"
                  min={tomorrow()}
                  value={date}
                  onInput={({ currentTarget }) => setDate(currentTarget.value)}
                />
              )}
            </Field>
          )}
          <div class="row end">
            <button type="button" class="button" onClick={close} disabled={sending}>
              Cancel
            </button>
            <button type="submit" class="button primary" disabled={sending}>
              Create the key
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
