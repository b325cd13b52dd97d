import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { SessionView } from "../../apps/dashboard/routes/session.ts";
import { type Requested, requestJson } from "../ui/request.ts";

export const API = "/dashboard/api";

/** The signed-in member. */
export const Session = createContext<SessionView | undefined>(undefined);

/** The signed-in member, on a page inside the shell. */
export function useSession(): SessionView {
  const session = useContext(Session);
  if (!session) throw new Error("There is no session outside the shell.");
  return session;
}

export const get = async <T>(path: string, signal?: AbortSignal): Promise<T> =>
  (await requestJson<{ data: T }>(API + path, signal ? { signal } : {})).body.data;

/** Sends a request that changes something, with the session's token. */
export function useSend(): <T>(
  method: "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<Requested<T>> {
  const { csrf_token } = useSession();
  return (method, path, body) => requestJson(API + path, { method, csrfToken: csrf_token, body });
}
