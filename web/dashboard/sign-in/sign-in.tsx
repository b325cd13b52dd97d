import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { RequestFailed, requestJson } from "../../ui/request.ts";
import { Failed } from "../../ui/states.tsx";
import { API } from "../session.ts";

/**
 * Signs in by the link that brought somebody here. Its secret is in the fragment, so no server log has it. The link is used up by the
 * button, because mail scanners open links.
 */
export function SignIn() {
  const { route } = useLocation();
  const [secret] = useState(() => location.hash.slice(1));
  const [error, setError] = useState<RequestFailed>();
  const signIn = async () => {
    try {
      await requestJson(`${API}/sign-in/link`, { method: "POST", body: { secret } });
      route("/dashboard", true);
    } catch (failed) {
      setError(failed as RequestFailed);
    }
  };
  return (
    <main class="content narrow stack">
      <h1>Sign in to Tranche</h1>
      {error && <Failed error={error} />}
      {secret === "" ? (
        <p>Open the link that you were sent, or that the operators of this service made for you.</p>
      ) : (
        <p>
          <button type="button" class="button primary" onClick={() => void signIn()}>
            Sign in
          </button>
        </p>
      )}
    </main>
  );
}
