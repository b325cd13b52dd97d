/** A URL or a message without API keys and tokens, also percent-encoded ones. */
export function withoutKeys(url: string): string {
  const decoded = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /tr[ncfior]_/i.test(decoded) ? decoded.replace(/tr[ncfior]_[^&/]*/gi, "[redacted]") : url;
}
