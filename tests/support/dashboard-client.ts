import { fetchUnlessBusy } from "./unless-busy.ts";

/** A caller of the dashboard's requests that keeps cookies and the CSRF token, as a browser does. */
export type DashboardClient = {
  cookies: Map<string, string>;
  /** Sends a request below `/dashboard/api`. A GET is sent again once after a 503. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Headers; body: any }>;
  /** Signs in with the secret of a link, or with its address. */
  signIn(link: string): Promise<void>;
};

/** `dashboard`: the address of the dashboard, with its path. */
export function openDashboard(dashboard: string, always: Record<string, string> = {}): DashboardClient {
  const cookies = new Map<string, string>();
  let csrfToken: string | undefined;
  const client: DashboardClient = {
    cookies,
    async ask(method, path, body, headers = {}) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
      const send = method === "GET" ? fetchUnlessBusy : fetch;
      const response = await send(`${dashboard}/api${path}`, {
        method,
        headers: {
          "Sec-Fetch-Site": "same-origin",
          ...(cookie ? { Cookie: cookie } : {}),
          ...(csrfToken ? { "X-CSRF-Token": csrfToken } : {}),
          ...(body === undefined ? {} : { "Content-Type": "application/json" }),
          ...always,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      for (const set of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(set)!;
        if (value === "") cookies.delete(name!);
        else cookies.set(name!, value!);
      }
      const text = await response.text();
      return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
    },
    async signIn(link) {
      const secret = link.slice(link.indexOf("#") + 1);
      const signedIn = await client.ask("POST", "/sign-in/link", { secret });
      if (signedIn.status !== 201) throw new Error(`signing in failed: ${JSON.stringify(signedIn.body)}`);
      csrfToken = (await client.ask("GET", "/session")).body.data.csrf_token;
    },
  };
  return client;
}
