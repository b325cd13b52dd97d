/** A URL or a message without API keys, also percent-encoded ones. */
export function withoutKeys(url: string): string {
  const decoded = url.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return /trn_/i.test(decoded) ? decoded.replace(/trn_[^&/]*/gi, "[redacted]") : url;
}
