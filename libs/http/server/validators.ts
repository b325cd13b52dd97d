/** Endings that proxies give an ETag when they compress an answer: Apache `-gzip`, Jetty `--gzip` or `;gzip`, Caddy `-zstd`. */
const OF_A_PROXY = /(?:--?|;)(?:gzip|br|zstd|deflate)"/g;

/**
 * Whether an If-None-Match header names this weak or strong ETag, also as a compressing proxy has rewritten it. `*` names none: callers
 * without any page would get its metadata and pay no quota. Koa's `fresh` is of no use: it says no whenever `Cache-Control: no-cache`
 * is sent, as `fetch` does by itself with If-None-Match.
 */
export function namesEtag(ifNoneMatch: string, etag: string): boolean {
  // With its quotes, and whether weak or strong, it is in a list only as a whole.
  return ifNoneMatch.replaceAll(OF_A_PROXY, '"').includes(etag.slice(etag.indexOf('"')));
}
