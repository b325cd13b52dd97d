import { useState } from "preact/hooks";
import type { AccountView, SignInLinkView } from "../data.ts";
import { Field } from "../../ui/field.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { shownNumber } from "../parts/figures.ts";
import { PlanField } from "../parts/plan-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLive } from "../parts/use-live.ts";
import { useSend } from "../session.ts";

type Change = { account: AccountView; close: () => void; done: () => void };

export function ChangePlan({ account, close, done }: Change) {
  const send = useSend();
  const plans = useLive("/plans", 60);
  const [plan, setPlan] = useState(account.plan);
  const run = async () => {
    await send("PUT", `/accounts/${account.id}/plan`, { plan });
    done();
  };
  return (
    <FormDialog
      title={`Change the plan of ${account.name}`}
      action="Change the plan"
      ready={plans.value !== undefined && plan !== account.plan}
      run={run}
      close={close}
    >
      {(problemOf) => (
        <>
          {plans.value && <PlanField plans={plans.value} value={plan} set={setPlan} problem={problemOf("plan")} />}
          {!plans.value &&
            (plans.error ? <Failed error={plans.error} retry={plans.reload} /> : <Loading what="the plans" />)}
          <p class="muted">It takes effect within a second. This month's usage carries over.</p>
        </>
      )}
    </FormDialog>
  );
}

export function Suspend({ account, close, done }: Change) {
  const send = useSend();
  const [reason, setReason] = useState("");
  const run = async () => {
    await send("POST", `/accounts/${account.id}/suspend`, { reason: reason.trim() || undefined });
    done();
  };
  return (
    <FormDialog title={`Suspend ${account.name}?`} action="Suspend" danger run={run} close={close}>
      {(problemOf) => (
        <>
          <p>All its keys stop working within a second, until the account is resumed.</p>
          <TextField
            label="Reason"
            hint="Optional. It goes to the audit log."
            value={reason}
            set={setReason}
            problem={problemOf("reason")}
          />
        </>
      )}
    </FormDialog>
  );
}

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

export function Resume({ account, close, done }: Change) {
  const send = useSend();
  const run = async () => {
    await send("POST", `/accounts/${account.id}/resume`);
    done();
  };
  return (
    <FormDialog title={`Resume ${account.name}?`} action="Resume" run={run} close={close}>
      <p>Its keys work again within a second.</p>
    </FormDialog>
  );
}

export function Delete({ account, close, done }: Change) {
  const send = useSend();
  const [confirm, setConfirm] = useState("");
  const run = async () => {
    await send("POST", `/accounts/${account.id}/delete`, { confirm: confirm.trim() });
    done();
  };
  return (
    <FormDialog
      title={`Delete ${account.name}?`}
      action="Delete for good"
      danger
      ready={confirm.trim() === account.id}
      run={run}
      close={close}
    >
      {(problemOf) => (
        <>
          <p>Its keys and sessions are revoked. This can't be undone. The audit log keeps its entries.</p>
          <TextField
            label="Id of the account"
            hint={
              <>
                Enter <code>{account.id}</code> to confirm.
              </>
            }
            value={confirm}
            set={setConfirm}
            problem={problemOf("confirm")}
          />
        </>
      )}
    </FormDialog>
  );
}

export function SignInLink({
  account,
  close,
  made,
}: {
  account: AccountView;
  close: () => void;
  made: (link: SignInLinkView) => void;
}) {
  const send = useSend();
  const [email, setEmail] = useState(account.members[0]?.email ?? "");
  const run = async () => made(await send("POST", `/accounts/${account.id}/sign-in-link`, { email }));
  return (
    <FormDialog title="Sign-in link" action="Make the link" run={run} close={close}>
      {(problemOf) => (
        <TextField
          label="E-mail address"
          hint="The recipient becomes a member of the account, and signs in to its dashboard."
          value={email}
          set={setEmail}
          problem={problemOf("email")}
          type="email"
          required
        />
      )}
    </FormDialog>
  );
}
