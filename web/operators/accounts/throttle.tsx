import { useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { shownNumber } from "../parts/figures.ts";
import { useLive } from "../parts/use-live.ts";
import { useSend } from "../session.ts";
import type { Change } from "./changes.tsx";

/** How long lower limits last, in seconds; the last one has no end. */
const LENGTHS = [
  [3600, "for an hour"],
  [6 * 3600, "for 6 hours"],
  [86_400, "for a day"],
  [7 * 86_400, "for a week"],
  [undefined, "until it is ended"],
] as const;

export function Throttle({ account, close, done }: Change) {
  const send = useSend();
  const plans = useLive("/plans", 60);
  const plan = plans.value?.find(({ id }) => id === account.plan);
  const { throttle } = account;
  const [burst, setBurst] = useState(String(throttle?.burst ?? ""));
  const [quota, setQuota] = useState(String(throttle?.quota ?? ""));
  const [length, setLength] = useState(1);
  const [reason, setReason] = useState(throttle?.reason ?? "");
  const run = async () => {
    const numberOf = (text: string) => (text === "" ? undefined : Number(text));
    const limits = { burst: numberOf(burst), quota: numberOf(quota) };
    await send("POST", `/accounts/${account.id}/throttle`, { ...limits, lasts: LENGTHS[length]?.[0], reason });
    done();
  };
  return (
    <FormDialog title={`Throttle ${account.name}`} action="Lower the limits" danger run={run} close={close}>
      {(problemOf) => (
        <>
          <p>
            Give one limit or both, below those of its plan. They take effect within a second. Callers and members see
            that an operator set them.
          </p>
          <TextField
            label="Requests in any 60 seconds"
            hint={plan && `The plan ${plan.name} has ${shownNumber(plan.burst)}.`}
            value={burst}
            set={setBurst}
            problem={problemOf("burst")}
            type="number"
          />
          <TextField
            label="Requests in a calendar month"
            hint={
              plan && `The plan has ${shownNumber(plan.quota)}; ${shownNumber(account.requests_this_month)} are used.`
            }
            value={quota}
            set={setQuota}
            problem={problemOf("quota")}
            type="number"
          />
          <Field label="How long" problem={problemOf("lasts")}>
            {(attributes) => (
              <select
                {...attributes}
                class="input"
                value={length}
                onChange={({ currentTarget }) => setLength(Number(currentTarget.value))}
              >
                {LENGTHS.map(([, text], place) => (
                  <option key={text} value={place}>
                    {text}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <TextField
            label="Reason"
            hint="For the audit log. Callers and members don't see it."
            value={reason}
            set={setReason}
            problem={problemOf("reason")}
            required
          />
        </>
      )}
    </FormDialog>
  );
}

export function Unthrottle({ account, close, done }: Change) {
  const send = useSend();
  const run = async () => {
    await send("POST", `/accounts/${account.id}/unthrottle`);
    done();
  };
  return (
    <FormDialog title={`End the throttle of ${account.name}?`} action="End the throttle" run={run} close={close}>
      <p>It has the limits of its plan again within a second.</p>
    </FormDialog>
  );
}
