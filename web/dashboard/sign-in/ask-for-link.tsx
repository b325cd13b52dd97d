import { useState } from "preact/hooks";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Failed, Notice } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { post } from "../session.ts";

const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const COMMAND = "npm run -s ops -- accounts sign-in-link --account Demo --email demo@example.com";

/** Asks for a link by e-mail, where this service sends mails; otherwise says where to get one. */
export function AskForLink({ byEmail }: { byEmail: boolean }) {
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState<{ to: string; minutes: number }>();
  const { busy, failed, attempt } = useAttempt();
  if (!byEmail) {
    return (
      <>
        <p>
          You need a link to sign in, and this service mails none: for that, its operators have to set{" "}
          <code>TRANCHE_SMTP_URL</code> and <code>TRANCHE_MAIL_FROM</code>. Until then an admin of your account makes
          one on the page Members, or the operators of this service do.
        </p>
        {LOOPBACK.test(location.hostname) && (
          <>
            <p>On this machine, that is the command</p>
            <CodeBlock code={COMMAND} what="the command" wrap />
          </>
        )}
      </>
    );
  }
  const send = () =>
    attempt(async () => {
      const { minutes } = await post("/sign-in/email", { email });
      setSent({ to: email.trim(), minutes });
    });
  if (sent) {
    return (
      <>
        <Notice>
          <p>
            If <strong class="anywhere">{sent.to}</strong> is a member of an account, a mail with a link is on its way.
            The link works once, within {sent.minutes} minutes.
          </p>
        </Notice>
        <p>
          <button type="button" class="button" onClick={() => setSent(undefined)}>
            Use another address
          </button>
        </p>
      </>
    );
  }
  const problem = failed?.parameter === "email" ? failed.message : undefined;
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {failed && problem === undefined && <Failed error={failed} />}
      <TextField
        label="E-mail address"
        hint="A link that signs you in is sent to it."
        problem={problem}
        type="email"
        autocomplete="email"
        maxLength={254}
        value={email}
        set={setEmail}
      />
      <p>
        <button type="submit" class="button primary" disabled={busy}>
          Send a link
        </button>
      </p>
    </form>
  );
}
