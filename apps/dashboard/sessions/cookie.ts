import { type Cookie, createCookie } from "@tranche/http/pages/cookie";

/** The cookie that carries a session's token. `address`: under which browsers reach the dashboard. */
export function createSessionCookie(address: string): Cookie {
  const { protocol, port: given } = new URL(address);
  const secure = protocol === "https:";
  const port = given || (secure ? "443" : "80");
  return createCookie({ name: `tranche_session_${port}`, path: "/dashboard", secure });
}
