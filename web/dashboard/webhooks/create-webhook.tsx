import { useState } from "preact/hooks";
import type { WebhookList } from "../../../libs/webhooks/webhook.ts";
import type { WebhookSecret } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSend } from "../session.ts";
import { NewSecret } from "./new-secret.tsx";

type Prefilled = { name: string; list: WebhookList; query: string };

/** Asks for list, filters and URL, creates a webhook and shows its secret. */
export function CreateWebhook({ prefilled, close }: { prefilled: Prefilled; close: () => void }) {
  const [input, setInput] = useState({ ...prefilled, url: "", from: "now" as const });
  const send = useSend();
  const [created, setCreated] = useState<WebhookSecret>();
  const set =
    (name: keyof typeof input) =>
    ({ currentTarget }: { currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      setInput({ ...input, [name]: currentTarget.value });
  const create = async () => setCreated(await send("POST", "/webhooks", input));
  const text = (name: "name" | "query" | "url", label: string, hint: string, problem: string | undefined) => (
    <TextField
      label={label}
      hint={hint}
      problem={problem}
      value={input[name]}
      set={(value) => setInput({ ...input, [name]: value })}
    />
  );
  if (created) return <NewSecret title="Your new webhook" {...created} close={close} />;
  return (
    <FormDialog title="Create a webhook" action="Create the webhook" run={create} close={close}>
      {(problemOf) => (
        <>
          {text("name", "Name", "What the webhook is for.", problemOf("name"))}
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
            problemOf("query"),
          )}
          {text(
            "url",
            "URL",
            "Where changes are sent. It has to answer a challenge with the webhook's secret first.",
            problemOf("url"),
          )}
          <Field label="Begin" problem={problemOf("from")}>
            {(control) => (
              <select {...control} class="input" value={input.from} onChange={set("from")}>
                <option value="now">With what changes from now on</option>
                <option value="start">With everything there is</option>
              </select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
