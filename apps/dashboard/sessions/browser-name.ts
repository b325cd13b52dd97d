import bowser from "bowser";

/** A browser in words, such as "Firefox on Linux", from its User-Agent header. */
export function browserName(userAgent: string): string {
  if (userAgent === "") return "Unknown browser";
  const { browser, os } = bowser.parse(userAgent);
  const known = browser.name || userAgent.split(/[\s/]/, 1)[0]!;
  return `${known || "Unknown browser"}${os.name ? ` on ${os.name}` : ""}`.slice(0, 80);
}
