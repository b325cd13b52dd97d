import { useLocation } from "preact-iso";
import type { ConnectView } from "../data.ts";
import { Failed, Notice, Skeleton } from "../../ui/states.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useLoad } from "../../ui/use-load.ts";
import { useSend, useSession } from "../session.ts";
import { announceSessionChange } from "../session-changes.ts";
import { signInPath } from "../sign-in/way-back.ts";

/**
 * Asks a member whether an application may use their account. Browsers open it from another site, and then without the session's cookie: the
 * page has none of its own and asks for everything from here.
 */
export default function Connect() {
  const send = useSend();
  const { route } = useLocation();
  const query = location.search.slice(1);
  const asked = useLoad(query, () => send("POST", "/oauth/look", { query }));
  const { busy, failed, attempt } = useAttempt({ leaves: true });
  const decide = (allow: boolean) =>
    attempt(async () => location.assign((await send("POST", "/oauth/decide", { query, allow })).to));
  const changeAccount = () =>
    attempt(async () => {
      await send("POST", "/sign-out");
      announceSessionChange();
      route(signInPath(), true);
    });
  const { value } = asked;
  return (
    <div class="stack sections measure">
      <h1>Connect an application</h1>
      {failed && <Failed error={failed} />}
      {asked.state === "failed" && (
        <>
          <Failed error={asked.error} retry={asked.reload} />
          {asked.error.code === "invalid_request" && (
            <p>
              The application that sent you here made a wrong request. Nothing was connected, and the application gets
              no answer.
            </p>
          )}
        </>
      )}
      {!value && asked.state === "loading" && <Skeleton rows={6} />}
      {value?.refused && (
        <Notice kind="warning">
          <p>
            <strong>This application made a wrong request: {value.refused.message}.</strong>
          </p>
          <p>Nothing was connected. If you go back, the application gets the reason.</p>
          <p>
            <a class="button" rel="noreferrer" href={value.refused.back}>
              Go back to {value.redirect}
            </a>
          </p>
        </Notice>
      )}
      {value && !value.refused && (
        <Question
          view={value}
          busy={busy}
          decide={(allow) => void decide(allow)}
          changeAccount={() => void changeAccount()}
        />
      )}
    </div>
  );
}

function Question({
  view: { name, host, redirect },
  busy,
  decide,
  changeAccount,
}: {
  view: ConnectView;
  busy: boolean;
  decide: (allow: boolean) => void;
  changeAccount: () => void;
}) {
  const { account, member } = useSession();
  return (
    <>
      <div class="card stack">
        <p>An application that calls itself</p>
        <p class="anywhere">
          <q>{name}</q>
        </p>
        <p>
          {host === null ? (
            <>has registered itself here. Nobody has checked that name.</>
          ) : (
            <>
              is described by <strong class="anywhere">{host}</strong>. Nobody has checked that name.
            </>
          )}{" "}
          It wants to ask Tranche in the name of this account:
        </p>
        <ul>
          <li>It may read everything that this account may read. It can't change anything.</li>
          <li>Its requests count in the limits and the quota of this account.</li>
          <li>
            The answer goes to <strong class="anywhere">{redirect}</strong>.
          </li>
        </ul>
        <p>
          Account: <strong class="anywhere">{account.name}</strong>, as <span class="anywhere">{member}</span>{" "}
          <button type="button" class="button" disabled={busy} onClick={changeAccount}>
            Use another account
          </button>
        </p>
      </div>
      <p>
        Only allow it if you have just started this in an application that you trust. Members can end it under
        Applications at any time.
      </p>
      <div class="row">
        <button type="button" class="button primary" disabled={busy} onClick={() => decide(true)}>
          Allow
        </button>
        <button type="button" class="button" disabled={busy} onClick={() => decide(false)}>
          Refuse
        </button>
      </div>
    </>
  );
}
