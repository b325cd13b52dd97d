import { useState } from "preact/hooks";
import type { CreatedKeyView } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSend } from "../session.ts";
import { NewKey } from "./new-key.tsx";

const EXPIRIES = [
  ["never", "Does not expire"],
  [30, "In 30 days"],
  [90, "In 90 days"],
  [365, "In a year"],
  ["date", "On a date"],
] as const;

type Expiry = (typeof EXPIRIES)[number][0];

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);

/** Asks for name and expiry, creates a key and shows it. */
export function CreateKey({ close }: { close: () => void }) {
  const [name, setName] = useState("");
  const [expiry, setExpiry] = useState<Expiry>("never");
  const [date, setDate] = useState("");
  const send = useSend();
  const [created, setCreated] = useState<CreatedKeyView>();
  const create = async () => {
    const expires = expiry === "never" ? {} : expiry === "date" ? { expires_on: date } : { expires_in_days: expiry };
    setCreated(await send("POST", "/keys", { name, ...expires }));
  };
  if (created) return <NewKey secret={created.key} close={close} />;
  return (
    <FormDialog title="Create a key" action="Create the key" run={create} close={close}>
      {(problemOf) => (
        <>
          <TextField
            label="Name"
            hint="What the key is for, such as “nightly export”."
            problem={problemOf("name")}
            autofocus
            value={name}
            set={setName}
          />
          <Field label="Expires" problem={problemOf("expires_in_days")}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={expiry}
                onChange={({ currentTarget }) => setExpiry(EXPIRIES[currentTarget.selectedIndex]![0])}
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
            <TextField
              label="Date"
              hint="The key works until 00:00 UTC of that day."
              problem={problemOf("expires_on")}
              type="date"
              min={tomorrow()}
              value={date}
              set={setDate}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}
