/** How long a page is remembered: longer than it takes to get a mail and open its link. */
const REMEMBER_MS = 30 * 60_000;
const KEY = "tranche-way-back";
const SIGN_IN = "/dashboard/sign-in";

/** The sign-in page's address, with the way back to the current page. */
export function signInPath(): string {
  const here = ownPath(location.pathname + location.search);
  return here === undefined || here === "/dashboard" ? SIGN_IN : `${SIGN_IN}?to=${encodeURIComponent(here)}`;
}

/** A path of the dashboard, as it may be followed; undefined for anything else: other sites above all. */
export function ownPath(text: string | null): string | undefined {
  if (text === null || !URL.canParse(text, location.origin)) return undefined;
  const { origin, pathname, search } = new URL(text, location.origin);
  const inside = pathname === "/dashboard" || pathname.startsWith("/dashboard/");
  if (origin !== location.origin || !inside || pathname.startsWith(SIGN_IN)) return undefined;
  return pathname + search;
}

/** Remembers a page for the tab that a link from a mail opens. */
export function rememberWayBack(path: string): void {
  localStorage.setItem(KEY, JSON.stringify({ path, at: Date.now() }));
}

/** The page that was remembered last, once. */
export function takeWayBack(): string | undefined {
  const kept = localStorage.getItem(KEY);
  localStorage.removeItem(KEY);
  try {
    const { path, at } = JSON.parse(kept ?? "{}") as { path?: string; at?: number };
    return typeof path === "string" && Date.now() - Number(at) < REMEMBER_MS ? ownPath(path) : undefined;
  } catch {
    return undefined;
  }
}
