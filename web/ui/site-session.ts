import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { requestJson } from "./request.ts";

/** A path with its variables filled in: `/keys/:id` is `/keys/` and any text. */
type Filled<Path extends string> = Path extends `${infer Before}/:${infer _Name}/${infer After}`
  ? `${Before}/${string}/${Filled<After>}`
  : Path extends `${infer Before}/:${infer _Name}`
    ? `${Before}/${string}`
    : Path;

/** The requests of one method by path, with a query string or without. */
type ByPath<Requests, Method extends string> = {
  [
    R in keyof Requests & string as R extends `${Method} ${infer Path}`
      ? Filled<Path> | `${Filled<Path>}?${string}`
      : never
  ]: Requests[R];
};

type Data<Request> = Request extends { data: infer D } ? D : never;
type Body<Request> = Request extends { body: infer B } ? (undefined extends B ? [body?: B] : [body: B]) : never;

/** The paths that a page reads, and the data at one of them. */
export type GetPath<Requests> = keyof ByPath<Requests, "GET"> & string;
export type GetData<Requests, Path extends GetPath<Requests>> = Data<ByPath<Requests, "GET">[Path]>;

type PostPath<Requests> = keyof ByPath<Requests, "POST"> & string;

/** Sends a request that changes something; resolves with the data of its answer. Rejects with RequestFailed. */
export type Send<Requests> = <
  Method extends "POST" | "PUT" | "DELETE",
  Path extends keyof ByPath<Requests, Method> & string,
>(
  method: Method,
  path: Path,
  ...body: Body<ByPath<Requests, Method>[Path]>
) => Promise<Data<ByPath<Requests, Method>[Path]>>;

/** The common part of the pages of one site: the session, which `Session` provides, and requests below `api`, typed by the table of its server. */
export function siteSession<Requests extends { "GET /session": { data: { csrf_token: string } } }>(api: string) {
  type View = Requests["GET /session"]["data"];
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
    get: <Path extends GetPath<Requests>>(path: Path, signal?: AbortSignal): Promise<GetData<Requests, Path>> =>
      ask(path, signal ? { signal } : {}),
    /** Sends a request that needs no session. */
    post: <Path extends PostPath<Requests>>(
      path: Path,
      body: Body<ByPath<Requests, "POST">[Path]>[0],
      signal?: AbortSignal,
    ): Promise<Data<ByPath<Requests, "POST">[Path]>> =>
      ask(path, { method: "POST", body, ...(signal ? { signal } : {}) }),
    /** Requests carry the session's CSRF token. */
    useSend: (): Send<Requests> => {
      const { csrf_token } = useSession();
      return (method, path, ...[body]) => ask(path, { method, csrfToken: csrf_token, body });
    },
  };
}
