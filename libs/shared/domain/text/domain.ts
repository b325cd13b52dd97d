/**
 * The domain that a text names: in lower case, without scheme, user, `www.`, port and path. Null for a text that is not a domain: one
 * without a dot between other characters, or with a blank.
 */
export function domainOf(text: string): string | null {
  const address = text.trim().toLowerCase();
  const scheme = address.indexOf("://");
  const [authority = ""] = (scheme < 0 ? address : address.slice(scheme + 3)).split(/[/?#]/, 1);
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d{1,5}$/, "");
  const name = host.startsWith("www.") ? host.slice(4) : host;
  const domain = name.endsWith(".") ? name.slice(0, -1) : name;
  return /^[^\s.]+(?:\.[^\s.]+)+$/.test(domain) ? domain : null;
}
