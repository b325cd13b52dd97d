import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";
import { FindButton } from "../ui/find-button.tsx";
import { Frame } from "../ui/frame.tsx";
import { FORBIDDEN, type RequestFailed, requestJson, SIGNED_OUT } from "../ui/request.ts";
import { Failed, Notice, Reading } from "../ui/states.tsx";
import { useLoad } from "../ui/use-load.ts";
import { PAGES } from "./pages.ts";
import { API, get, Session } from "./session.ts";
import { announceSessionChange, onSessionChange } from "./session-changes.ts";
import { signInPath } from "./sign-in/way-back.ts";
import { titleOf } from "./title.ts";

const isWithin = (path: string, href: string) =>
  path === href || (href !== "/dashboard" && path.startsWith(`${href}/`));

/** The frame of every page for signed-in members. Others are sent to the sign-in page. */
export function Shell({ children }: { children: ComponentChildren }) {
  const { path, route } = useLocation();
  const loaded = useLoad("session", (signal) => get("/session", signal));
  const signedOut = loaded.state === "failed" && loaded.error.code === "signed_out";
  useEffect(() => {
    const toSignIn = () => route(signInPath(), true);
    addEventListener(SIGNED_OUT, toSignIn);
    addEventListener(FORBIDDEN, loaded.reload);
    const stopListening = onSessionChange(loaded.reload);
    return () => {
      removeEventListener(SIGNED_OUT, toSignIn);
      removeEventListener(FORBIDDEN, loaded.reload);
      stopListening();
    };
  }, []);
  useEffect(() => {
    document.title = titleOf(PAGES.find(([href]) => isWithin(path, href))?.[1]);
  }, [path]);
  const session = loaded.value;
  // The contents of the page belong to the member who was signed in when they were read.
  const owner = session && `${session.account.id} ${session.member}`;
  const shownFor = useRef(owner);
  useEffect(() => {
    if (shownFor.current !== undefined && shownFor.current !== owner) location.reload();
    shownFor.current = owner;
  }, [owner]);
  const [failed, setFailed] = useState<RequestFailed>();
  if (signedOut) return null;
  const signOut = async () => {
    try {
      await requestJson(`${API}/sign-out`, { method: "POST", csrfToken: session!.csrf_token });
      announceSessionChange();
      route("/dashboard/sign-in", true);
    } catch (error) {
      setFailed(error as RequestFailed);
    }
  };
  const find = session && (
    <Session.Provider value={session}>
      <FindButton load={() => import("./find/find.tsx")} />
    </Session.Provider>
  );
  const signedIn = session && { docs: `${session.api_url}/docs`, signOut };
  return (
    <Frame name="Tranche" home="/dashboard" links={PAGES} path={path} find={find} signedIn={signedIn}>
      {failed && <Failed error={failed} />}
      <Reading of={loaded} rows={8} />
      {session && (
        <Session.Provider value={session}>
          {session.account.status === "suspended" && (
            <Notice kind="warning">
              <p>This account is suspended: its keys open nothing. Ask the operators of this service.</p>
            </Notice>
          )}
          {children}
        </Session.Provider>
      )}
    </Frame>
  );
}
