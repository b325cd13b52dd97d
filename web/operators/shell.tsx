import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useState } from "preact/hooks";
import { Frame, type NavLink } from "../ui/frame.tsx";
import { type RequestFailed, requestJson, SIGNED_OUT } from "../ui/request.ts";
import { Failed, Loading } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { API, get, Session } from "./session.ts";
import { NoToken } from "./sign-in/no-token.tsx";

const HOME = "/operators";
const LINKS: readonly NavLink[] = [
  [HOME, "Health"],
  ["/operators/accounts", "Accounts"],
  ["/operators/requests", "Requests now"],
  ["/operators/ingests", "Ingests"],
  ["/operators/mappings", "Mappings"],
  ["/operators/queues", "Queues"],
  ["/operators/dead-letters", "Dead letters"],
  ["/operators/rebuilds", "Rebuilds"],
  ["/operators/audit", "Audit log"],
];

/** The frame of every page for signed-in operators. Others are sent to the sign-in page. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path, route } = useLocation();
  const loaded = useLoad("session", (signal) => get("/session", signal));
  const [failed, setFailed] = useState<RequestFailed>();
  useEffect(() => {
    const toSignIn = () => route("/operators/sign-in", true);
    addEventListener(SIGNED_OUT, toSignIn);
    return () => removeEventListener(SIGNED_OUT, toSignIn);
  }, []);
  const here = LINKS.findLast(([href]) => path.startsWith(href))?.[1];
  useEffect(() => {
    document.title = here === undefined ? "Tranche operators" : `${here} – Tranche operators`;
  }, [here]);

  const session = loaded.value;
  const code = loaded.state === "failed" ? loaded.error.code : undefined;
  if (code === "signed_out") return null;
  if (code === "no_token_set") return <NoToken />;
  const signOut = async () => {
    try {
      await requestJson(`${API}/sign-out`, { method: "POST", csrfToken: session!.csrf_token });
      route("/operators/sign-in", true);
    } catch (error) {
      setFailed(error as RequestFailed);
    }
  };
  const signedIn = session && { docs: session.docs_url, signOut };
  return (
    <Frame name="Operators" home={HOME} links={LINKS} path={path} signedIn={signedIn}>
      {failed && <Failed error={failed} />}
      {loaded.state === "failed" && <Failed error={loaded.error} retry={loaded.reload} />}
      {!session && loaded.state === "loading" && <Loading what="the page" />}
      {session && (
        <Session.Provider value={session}>
          {children}
          <p class="foot muted">Times are in UTC.</p>
        </Session.Provider>
      )}
    </Frame>
  );
}
