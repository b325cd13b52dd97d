import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { NarrowPage } from "../../ui/frame.tsx";
import { Failed } from "../../ui/states.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { post } from "../session.ts";
import { NoToken } from "./no-token.tsx";

/** Signs an operator in with the operators' token. */
export function SignIn() {
  const { route } = useLocation();
  const [token, setToken] = useState("");
  const { busy, failed, attempt } = useAttempt({ leaves: true });
  useEffect(() => {
    document.title = "Sign in – Tranche operators";
  }, []);
  const signIn = (event: Event) => {
    event.preventDefault();
    return attempt(async () => {
      await post("/sign-in", { token });
      route("/operators/", true);
    });
  };
  if (failed?.code === "no_token_set") return <NoToken />;
  const wrong = failed?.parameter === "token" ? failed.message : undefined;
  return (
    <NarrowPage name="Operators">
      <h1>Sign in as an operator</h1>
      {failed && wrong === undefined && <Failed error={failed} />}
      <form class="stack" onSubmit={(event) => void signIn(event)}>
        <TextField
          label="Operators' token"
          hint={
            <>
              The value of <code>TRANCHE_OPERATOR_TOKEN</code>. <code>npm start</code> prints it.
            </>
          }
          problem={wrong}
          type="password"
          autocomplete="current-password"
          required
          value={token}
          set={setToken}
        />
        <p>
          <button type="submit" class="button primary" disabled={busy}>
            Sign in
          </button>
        </p>
      </form>
      <p class="muted">
        You stay signed in for 12 hours. For the dashboard of an account, ask for a sign-in link instead.
      </p>
    </NarrowPage>
  );
}
