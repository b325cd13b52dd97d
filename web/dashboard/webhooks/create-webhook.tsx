import { useState } from "preact/hooks";
import type { WebhookList } from "../../../libs/webhooks/webhook.ts";
import type { ListFields } from "../../../apps/dashboard/explore/list-fields.ts";
import type { WebhookSecret } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { Reading } from "../../ui/states.tsx";
import type { Loaded } from "../../ui/use-load.ts";
import { useSend } from "../session.ts";
import { FiltersField } from "./filters-field.tsx";
import { readParams, writeParams } from "../explore/request/params.ts";
import { NewSecret } from "./new-secret.tsx";

type Prefilled = { name: string; list: WebhookList; query: string };

/** Asks for list, filters and URL, creates a webhook and shows its secret. `parameters`: those of the lists. */
export function CreateWebhook({
  prefilled,
  parameters,
  close,
}: {
  prefilled: Prefilled;
  parameters: Loaded<ListFields> & { reload: () => void };
  close: () => void;
}) {
  const [input, setInput] = useState({ ...prefilled, url: "", from: "now" as "now" | "start" });
  const send = useSend();
  const [created, setCreated] = useState<WebhookSecret>();
  /** Filters that the other list has, too, stay. */
  const setList = (list: WebhookList) => {
    const names = new Set(parameters.value?.[list].map(({ name }) => name));
    setInput({ ...input, list, query: writeParams(readParams(input.query).filter(([name]) => names.has(name))) });
  };
  const create = async () => setCreated(await send("POST", "/webhooks", input));
  const text = (name: "name" | "url", label: string, hint: string, problem: string | undefined) => (
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
              <select
                {...control}
                class="input"
                value={input.list}
                onChange={({ currentTarget }) => setList(currentTarget.value as WebhookList)}
              >
                <option value="funding">Funding rounds</option>
                <option value="signals">Signals</option>
              </select>
            )}
          </Field>
          <Reading of={parameters} rows={1} />
          {parameters.value && (
            <FiltersField
              fields={parameters.value[input.list]}
              query={input.query}
              problem={problemOf("query")}
              set={(query) => setInput((last) => ({ ...last, query }))}
            />
          )}
          {text(
            "url",
            "URL",
            "Where changes are sent. It has to answer a challenge with the webhook's secret first.",
            problemOf("url"),
          )}
          <Field label="Begin" problem={problemOf("from")}>
            {(control) => (
              <select
                {...control}
                class="input"
                value={input.from}
                onChange={({ currentTarget }) => setInput({ ...input, from: currentTarget.value as "now" | "start" })}
              >
                <option value="now">With changes from now on</option>
                <option value="start">With everything there is</option>
              </select>
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
