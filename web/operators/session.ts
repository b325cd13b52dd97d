import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { OperatorView } from "../../apps/operators/routes/session.ts";
import { requestJson } from "../ui/request.ts";

export const API = "/operators/api";

/** The signed-in operator. */
export const Session = createContext<OperatorView | undefined>(undefined);

export function useSession(): OperatorView {
  const session = useContext(Session);
  if (!session) throw new Error("There is no session outside the shell.");
  return session;
}

async function ask<T>(path: string, options: Parameters<typeof requestJson>[1]): Promise<T> {
  const { body } = await requestJson<{ data: T } | undefined>(API + path, options);
  return body?.data as T;
}

export const get = <T>(path: string, signal?: AbortSignal): Promise<T> => ask(path, signal ? { signal } : {});

export type Send = <T>(method: "POST" | "PUT", path: string, body?: unknown) => Promise<T>;

/** Sends a request that changes something, with the CSRF token of the pages. */
export function useSend(): Send {
  const { csrf_token } = useSession();
  return (method, path, body = {}) => ask(path, { method, csrfToken: csrf_token, body });
}
