import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { NarrowPage } from "../../ui/frame.tsx";
import { Failed, Loading, Notice } from "../../ui/states.tsx";
import { useLoad } from "../../ui/use-load.ts";
import { get } from "../session.ts";
import { announceSessionChange, onSessionChange } from "../session-changes.ts";
import { titleOf } from "../title.ts";
import { AskForLink } from "./ask-for-link.tsx";
import { UseLink } from "./use-link.tsx";
import { ownPath, rememberWayBack, takeWayBack } from "./way-back.ts";

/**
 * Signs in by the link that brought somebody here, or helps them to get one. The secret of a link is in the fragment, so no server log
 * has it.
 */
export function SignIn() {
  const { route, query } = useLocation();
  const [secret, setSecret] = useState(() => location.hash.slice(1));
  const here = useLoad("sign-in", (signal) => get("/sign-in", signal));
  const to = ownPath(query["to"] ?? null);
  const goOn = () => route(takeWayBack() ?? to ?? "/dashboard", true);

  useEffect(() => {
    document.title = titleOf("Sign in");
    if (to !== undefined) rememberWayBack(to);
    const changed = () => setSecret(location.hash.slice(1));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, []);
  // After signing in by a link in another tab, this tab continues as well.
  useEffect(() => onSessionChange(() => here.reload()), []);
  const signedIn = here.value?.signed_in ?? undefined;
  useEffect(() => {
    if (signedIn && to !== undefined && secret === "") goOn();
  }, [signedIn]);

  const done = () => {
    announceSessionChange();
    goOn();
  };
  return (
    <NarrowPage name="Tranche">
      <h1>Sign in to Tranche</h1>
      {here.state === "failed" && <Failed error={here.error} retry={here.reload} />}
      {here.state === "loading" && !here.value && <Loading what="the sign-in page" />}
      {signedIn && (
        <Notice>
          <p>
            You are signed in to <strong class="anywhere">{signedIn.account_name}</strong> as{" "}
            <span class="anywhere">{signedIn.member}</span>.
          </p>
          <p>
            <a href="/dashboard">Go to the overview</a>
          </p>
        </Notice>
      )}
      {!signedIn && to !== undefined && (
        <Notice>
          <p>You are not signed in. After signing in you get back to the page that you came from.</p>
        </Notice>
      )}
      {here.value &&
        (secret === "" ? (
          !signedIn && <AskForLink byEmail={here.value.by_email} />
        ) : (
          <UseLink
            key={secret}
            secret={secret}
            replaces={signedIn !== undefined}
            byEmail={here.value.by_email}
            done={done}
          />
        ))}
      {here.value && (
        <p>
          <a href={here.value.docs_url}>Docs</a>
        </p>
      )}
    </NarrowPage>
  );
}
