import { useState } from "preact/hooks";
import type { AccountView, SignInLinkView } from "../data.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { PlanField } from "../parts/plan-field.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useLive } from "../parts/use-live.ts";
import { useSend } from "../session.ts";

export type Change = { account: AccountView; close: () => void; done: () => void };

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
