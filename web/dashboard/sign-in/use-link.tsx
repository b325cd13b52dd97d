import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { post } from "../session.ts";
import { AskForLink } from "./ask-for-link.tsx";

/** Shows what a link is for. Only the button uses it up, because mail scanners open links. `replaces`: somebody is signed in already. */
export function UseLink({
  secret,
  replaces,
  byEmail,
  done,
}: {
  secret: string;
  replaces: boolean;
  byEmail: boolean;
  done: () => void;
}) {
  const link = useLoad("link", (signal) => post("/sign-in/look", { secret }, signal));
  const { busy, failed, attempt } = useAttempt({ leaves: true });
  const signIn = () =>
    attempt(async () => {
      await post("/sign-in/link", { secret });
      done();
    });

  const error = failed ?? (link.state === "failed" ? link.error : undefined);
  // A malformed link is refused as a wrong request.
  if (error?.code === "link_unusable" || error?.code === "invalid_request") {
    return (
      <>
        <Notice kind="danger">
          <p>
            <strong>This link can't be used.</strong>
          </p>
          <p>It was used before, is older than 15 minutes, or was not copied as a whole.</p>
        </Notice>
        {!replaces && <AskForLink byEmail={byEmail} />}
      </>
    );
  }
  if (!link.value && !error) return <Loading what="the link" />;
  return (
    <>
      {error && <Failed error={error} {...(failed ? {} : { retry: link.reload })} />}
      {link.value && (
        <>
          <p>
            This link signs you in to <strong class="anywhere">{link.value.account_name}</strong> as{" "}
            <span class="anywhere">{link.value.member}</span>.
            {replaces && " The session that is open in this browser ends."}
          </p>
          <p>
            <button type="button" class="button primary" disabled={busy} onClick={() => void signIn()}>
              Sign in
            </button>
          </p>
        </>
      )}
    </>
  );
}
