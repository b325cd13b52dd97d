import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { requestJson } from "./request.ts";

/** Sends a request that changes something; resolves with the data of its answer. Rejects with RequestFailed. */
export type Send = <T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown) => Promise<T>;

/** What the pages of one site have in common: the session, which `Session` provides, and requests below `api`. */
export function siteSession<View extends { csrf_token: string }>(api: string) {
  const Session = createContext<View | undefined>(undefined);

  const useSession = (): View => {
    const session = useContext(Session);
    if (!session) throw new Error("There is no session outside the shell.");
    return session;
  };
  const ask = async <T>(path: string, options: Parameters<typeof requestJson>[1]): Promise<T> => {
    const { body } = await requestJson<{ data: T } | undefined>(api + path, options);
    return body?.data as T;
  };
  return {
    Session,
    /** The session, on a page inside the shell. */
    useSession,
    get: <T>(path: string, signal?: AbortSignal): Promise<T> => ask(path, signal ? { signal } : {}),
    /** Requests carry the session's CSRF token. */
    useSend: (): Send => {
      const { csrf_token } = useSession();
      return (method, path, body) => ask(path, { method, csrfToken: csrf_token, body });
    },
  };
}
