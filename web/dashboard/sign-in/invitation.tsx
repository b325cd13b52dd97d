import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import type { AcceptedInvitation, InvitationView } from "../data.ts";
import { NarrowPage } from "../../ui/frame.tsx";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { When } from "../../ui/when.tsx";
import { post } from "../session.ts";
import { announceSessionChange } from "../session-changes.ts";
import { AskForLink } from "./ask-for-link.tsx";
import { titleOf } from "../title.ts";

/** The page of an invitation, whose secret is in the fragment. Only its button uses it up, because mail scanners open links. */
export function Invitation() {
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  useEffect(() => {
    document.title = titleOf("Invitation");
    const changed = () => setSecret(location.hash.slice(1));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  return (
    <NarrowPage name="Tranche">
      <h1>An invitation to Tranche</h1>
      <One key={secret} secret={secret} />
    </NarrowPage>
  );
}

function One({ secret }: { secret: string }) {
  const { route } = useLocation();
  const loaded = useLoad("invitation", (signal) => post("/invitations/look", { secret }, signal));
  const [accepted, setAccepted] = useState<AcceptedInvitation>();
  const { busy, failed, attempt } = useAttempt();
  const accept = async () => {
    const succeeded = await attempt(async () => {
      const done = await post("/invitations/accept", { secret });
      if (done.signed_in) {
        announceSessionChange();
        route("/dashboard", true);
      } else setAccepted(done);
    });
    if (!succeeded) loaded.reload();
  };
  const { value } = loaded;
  const error = failed ?? (loaded.state === "failed" ? loaded.error : undefined);
  if (error?.code === "link_unusable" || error?.code === "invalid_request") {
    return (
      <Over title="This invitation can't be used.">
        <p>
          A newer one has taken its place, or its address was not copied as a whole. Ask who invited you for another.
        </p>
      </Over>
    );
  }
  if (accepted && !accepted.signed_in) {
    return (
      <Notice>
        <p>
          A link that signs you in is on its way to <strong class="anywhere">{accepted.email}</strong>. It works once,
          within {accepted.minutes} minutes.
        </p>
      </Notice>
    );
  }
  if (!value) return error ? <Failed error={error} retry={loaded.reload} /> : <Loading what="the invitation" />;
  return (
    <>
      {error && <Failed error={error} />}
      <View view={value} busy={busy} accept={() => void accept()} />
    </>
  );
}

function View({ view, busy, accept }: { view: InvitationView; busy: boolean; accept: () => void }) {
  const email = <strong class="anywhere">{view.email}</strong>;
  if (view.state === "used") {
    return (
      <>
        <Over title="This invitation was used.">
          <p>
            {email} accepted it {view.used_at !== null && <When time={view.used_at} as="minute" />}. If that was not
            you, tell {view.invited_by ?? "who invited you"}.
          </p>
        </Over>
        <h2>If it was you</h2>
        <AskForLink byEmail={view.by_email} />
      </>
    );
  }
  if (view.state !== "open") {
    return (
      <Over title={view.state === "expired" ? "This invitation has expired." : "This invitation was withdrawn."}>
        <p>
          {view.state === "expired" ? (
            <>
              It worked until <When time={view.expires_at} as="minute" />. Ask {view.invited_by ?? "who invited you"}{" "}
              for another.
            </>
          ) : (
            <>It was for {email}, who is no longer a member, or who invited them is not.</>
          )}
        </p>
      </Over>
    );
  }
  return (
    <>
      <p>
        <span class="anywhere">{view.invited_by ?? "Somebody"}</span> invites {email} to the account{" "}
        <strong class="anywhere">{view.account_name}</strong>
        {view.role !== null && ` as ${view.role}`}. The invitation works once, until{" "}
        <When time={view.expires_at} as="minute" />.
      </p>
      <p class="muted">
        {view.by_email
          ? "A link that signs you in is sent to that address, and to no other. If this is not your address, the invitation is not for you."
          : "It signs in this browser. Accept it only if this is your address."}
      </p>
      <p>
        <button type="button" class="button primary" disabled={busy} onClick={accept}>
          {view.by_email ? "Accept and get a sign-in link" : "Accept and sign in"}
        </button>
      </p>
    </>
  );
}

function Over({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Notice kind="danger">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </Notice>
  );
}
