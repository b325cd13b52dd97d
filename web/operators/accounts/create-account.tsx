import { useState } from "preact/hooks";
import type { NewAccount, PlanView } from "../data.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlanField } from "../parts/plan-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useSend } from "../session.ts";

/** Asks for name and plan, and creates an account with its first key. */
export function CreateAccount({
  plans,
  close,
  created,
}: {
  plans: readonly PlanView[];
  close: () => void;
  created: (account: NewAccount) => void;
}) {
  const send = useSend();
  const [name, setName] = useState("");
  const [plan, setPlan] = useState(plans[0]?.id ?? "");
  const run = async () => created(await send("POST", "/accounts", { name, plan }));
  return (
    <FormDialog title="New account" action="Create the account" run={run} close={close}>
      {(problemOf) => (
        <>
          <TextField label="Name" value={name} set={setName} problem={problemOf("name")} required />
          <PlanField plans={plans} value={plan} set={setPlan} problem={problemOf("plan")} />
        </>
      )}
    </FormDialog>
  );
}
