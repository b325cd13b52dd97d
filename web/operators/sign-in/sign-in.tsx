import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { Field } from "../../ui/field.tsx";
import { type RequestFailed, requestJson } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { API } from "../session.ts";
import { NoToken } from "./no-token.tsx";

/** Signs an operator in with the operators' token. */
export function SignIn() {
  const { route } = useLocation();
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<RequestFailed>();
  useEffect(() => {
    document.title = "Sign in – Tranche operators";
  }, []);
  const signIn = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await requestJson(`${API}/sign-in`, { method: "POST", body: { token } });
      route("/operators/", true);
    } catch (failed) {
      setError(failed as RequestFailed);
      setBusy(false);
    }
  };
  if (error?.code === "no_token_set") return <NoToken />;
  const wrong = error?.parameter === "token" ? error.message : undefined;
  return (
    <main class="content narrow stack">
      <h1>Sign in as an operator</h1>
      {error && wrong === undefined && <Failed error={error} />}
      <form class="stack" onSubmit={(event) => void signIn(event)}>
        <Field
          label="Operators' token"
          hint={
            <>
              The value of <code>TRANCHE_OPERATOR_TOKEN</code>. <code>npm start</code> prints it.
            </>
          }
          problem={wrong}
        >
          {(attributes) => (
            <input
              {...attributes}
              class="input"
              type="password"
              autocomplete="current-password"
              required
              value={token}
              onInput={({ currentTarget }) => setToken(currentTarget.value)}
            />
          )}
        </Field>
        <p>
          <button type="submit" class="button primary" disabled={busy}>
            Sign in
          </button>
        </p>
      </form>
      <p class="muted">
        You stay signed in for 12 hours. For the dashboard of an account, ask for a sign-in link instead.
      </p>
    </main>
  );
}
