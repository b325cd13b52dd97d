/** A URL or a message without API keys and tokens of feed links, also percent-encoded ones. */
export function withoutKeys(url: string): string {
  const decoded = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /tr[nf]_/i.test(decoded) ? decoded.replace(/tr[nf]_[^&/]*/gi, "[redacted]") : url;
}
