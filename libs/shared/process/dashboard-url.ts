import type { Settings } from "./settings.ts";

type Addresses = Pick<Settings, "TRANCHE_DASHBOARD_URL" | "TRANCHE_PUBLIC_URL" | "TRANCHE_DASHBOARD_PORT">;

/** Address of the dashboard for people, with its path. Never taken from a request, whose Host anybody can choose. */
export function dashboardUrl(settings: Addresses): string {
  if (settings.TRANCHE_DASHBOARD_URL !== undefined) return settings.TRANCHE_DASHBOARD_URL;
  const origin = settings.TRANCHE_PUBLIC_URL ?? `http://127.0.0.1:${settings.TRANCHE_DASHBOARD_PORT}`;
  return `${origin}/dashboard`;
}

/** The page of an invitation. Its secret is in the fragment, as that of a sign-in link. */
export const invitationUrl = (settings: Addresses, secret: string): string =>
  `${dashboardUrl(settings)}/invitation#${secret}`;

/** The page that ends a follow, and the request that mail programs send for it (RFC 8058). `token`: of the follow. */
export const unsubscribeUrls = (settings: Addresses, token: string): { page: string; oneClick: string } => ({
  page: `${dashboardUrl(settings)}/unsubscribe#${token}`,
  oneClick: `${dashboardUrl(settings)}/api/unsubscribe?token=${token}`,
});

/** The address that signs a member in. The secret is in the fragment, which no browser sends and no server logs. */
export const signInUrl = (settings: Addresses, secret: string): string => `${dashboardUrl(settings)}/sign-in#${secret}`;
