import { useState } from "preact/hooks";
import type { WebhookSecret } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";
import { NewSecret } from "./new-secret.tsx";

type Of = { path: `/webhooks/${string}`; close: () => void };

const PLACES = [
  ["", "Where it stopped"],
  ["now", "With changes from now on"],
  ["start", "With everything there is"],
] as const;

/** Asks where deliveries go on. `lostPlace`: they can't where they stopped. */
export function ResumeWebhook({ path, lostPlace, close }: Of & { lostPlace: boolean }) {
  const send = useSend();
  const places = PLACES.filter(([value]) => value !== "" || !lostPlace);
  const [from, setFrom] = useState(places[0]![0]);
  const resume = async () => {
    await send("POST", `${path}/resume`, from === "" ? {} : { from });
    close();
  };
  return (
    <FormDialog title="Resume the webhook" action="Resume" run={resume} close={close}>
      <fieldset class="stack">
        <legend>Deliveries go on</legend>
        {places.map(([value, text]) => (
          <label key={value}>
            <input type="radio" name="from" checked={from === value} onChange={() => setFrom(value)} /> {text}
          </label>
        ))}
      </fieldset>
    </FormDialog>
  );
}

/** Gives the webhook a new secret and shows it. */
export function RotateSecret({ path, close }: Of) {
  const send = useSend();
  const [created, setCreated] = useState<WebhookSecret>();
  const rotate = async () => setCreated(await send("POST", `${path}/rotate`));
  if (created) return <NewSecret title="The new secret" {...created} close={close} />;
  return (
    <FormDialog title="Rotate the secret" action="Create a new secret" run={rotate} close={close}>
      <p>Messages are signed with the old and the new secret for 24 hours, so that your program can change over.</p>
    </FormDialog>
  );
}

/** Deletes the webhook after confirmation. */
export function DeleteWebhook({ path, close, deleted }: Of & { deleted: () => void }) {
  const send = useSend();
  const remove = async () => {
    await send("DELETE", path);
    deleted();
  };
  return (
    <FormDialog title="Delete the webhook?" action="Delete" danger run={remove} close={close}>
      <p>Nothing more is delivered, and the list of its deliveries goes with it. This can’t be undone.</p>
    </FormDialog>
  );
}
