import { useState } from "preact/hooks";
import type { WebhookSecret } from "../../../apps/dashboard/routes/webhooks.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { Failed } from "../../ui/states.tsx";
import { useDialogRequest } from "../keys/use-dialog-request.ts";
import { NewSecret } from "./new-secret.tsx";

export type Prefilled = { name: string; list: string; query: string };

/** Asks for list, filters and URL, creates a webhook and shows its secret. */
export function CreateWebhook({ prefilled, close }: { prefilled: Prefilled; close: () => void }) {
  const [input, setInput] = useState({ ...prefilled, url: "", from: "now" });
  const { send, sending, error, result } = useDialogRequest<WebhookSecret>();
  const set =
    (name: keyof typeof input) =>
    ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setInput({ ...input, [name]: currentTarget.value });
  const create = (event: Event) => {
    event.preventDefault();
    void send("/webhooks", input);
  };
  const problemOf = (parameter: string) => (error?.parameter === parameter ? error.message : undefined);
  const text = (name: "name" | "query" | "url", label: string, hint: string) => (
    <Field label={label} hint={hint} problem={problemOf(name)}>
      {(control) => <input {...control} class="input" autoComplete="off" value={input[name]} onInput={set(name)} />}
    </Field>
  );
  return (
    <Dialog
      title={result ? "Your new webhook" : "Create a webhook"}
      close={close}
      busy={sending || result !== undefined}
    >
      {result ? (
        <NewSecret {...result} close={close} />
      ) : (
        <form class="stack" onSubmit={create} noValidate>
          {error && error.parameter === undefined && <Failed error={error} />}
          {text("name", "Name", "What the webhook is for.")}
          <Field label="List" problem={problemOf("list")}>
            {(control) => (
              <select {...control} class="input" value={input.list} onChange={set("list")}>
                <option value="funding">Funding rounds</option>
                <option value="signals">Signals</option>
              </select>
            )}
          </Field>
          {text(
            "query",
            "Filters",
            "As in a request to the list, such as country=DE&deal_types=seed. Leave it empty for everything.",
          )}
          {text("url", "URL", "Where changes are sent. It has to answer a challenge with the webhook's secret first.")}
          <Field label="Begin" problem={problemOf("from")}>
            {(control) => (
              <select {...control} class="input" value={input.from} onChange={set("from")}>
                <option value="now">With what changes from now on</option>
                <option value="start">With everything there is</option>
              </select>
            )}
          </Field>
          <div class="row end">
            <button type="button" class="button" onClick={close} disabled={sending}>
              Cancel
            </button>
            <button type="submit" class="button primary" disabled={sending}>
              Create the webhook
            </button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
