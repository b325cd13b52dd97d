/** Addresses that a browser opens at a program of its own machine: any port, because the program takes a free one. */
const LOOPBACK = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/[^#\s]*)?$/;
/** Schemes of programs. Reversed names of domains are (RFC 8252), and these are usual. */
const OF_PROGRAMS = /^(?:[a-z][a-z0-9+-]*\.[a-z0-9+.-]+|cursor|vscode|vscode-insiders|windsurf|zed):$/;
const MAX_LENGTH = 2000;

/**
 * Whether codes may be sent to an address that a client names: https, loopback, or the scheme of a program. All others are refused, above all
 * those that run as a script.
 */
export function mayRedirectTo(uri: string): boolean {
  if (uri.length > MAX_LENGTH || /[#\s\\]/.test(uri) || !URL.canParse(uri)) return false;
  const { protocol, username, password } = new URL(uri);
  if (username !== "" || password !== "") return false;
  return protocol === "https:" || OF_PROGRAMS.test(protocol) || LOOPBACK.test(uri);
}

/** Whether one of the client's addresses is the one of a request: exactly, but for the port of loopback. */
export const isRegistered = (uri: string, registered: readonly string[]): boolean =>
  registered.some((own) => own === uri || (LOOPBACK.test(own) && withoutPort(own) === withoutPort(uri)));

const withoutPort = (uri: string): string | undefined => {
  const parts = LOOPBACK.exec(uri);
  return parts ? `${parts[1]}${parts[2] ?? "/"}` : undefined;
};

/** Where an address leads, for people: a host, this computer, or a program. */
export function shownTarget(uri: string): string {
  const { protocol, host } = new URL(uri);
  if (LOOPBACK.test(uri)) return "a program on this computer";
  return protocol === "https:" ? host : `the program for ${protocol} links on this computer`;
}

/** A redirect with the parameters of an answer. */
export function redirectWith(uri: string, answer: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(answer).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `${uri}${uri.includes("?") ? "&" : "?"}${new URLSearchParams(given).toString()}`;
}
