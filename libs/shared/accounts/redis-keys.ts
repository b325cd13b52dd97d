/** The beginning of all keys of an account, which says where a Cluster has them. */
export const accountTag = (namespace: string, handle: string): string => `${namespace}:{${handle}}`;

/**
 * Redis keys of one account. All have its handle as hash tag, so that a cluster keeps them in one slot and one script may use them all.
 */
export function accountRedisKeys(namespace: string, handle: string) {
  const tag = accountTag(namespace, handle);
  return {
    account: `${tag}:account`,
    key: (hash: string) => `${tag}:key:${hash}`,
    /** The last removal of a member, sign-out everywhere or end of a grant. */
    signOuts: `${tag}:signouts`,
    burst: `${tag}:burst`,
    month: `${tag}:month`,
    exports: `${tag}:exports`,
    /** Requests charged for rows of exports that are not sent yet. */
    advances: `${tag}:advances`,
    /** Requests that wait for changes. */
    waits: `${tag}:waits`,
    /** Requests of a day (`YYYY-MM-DD`, UTC). */
    usage: (day: string) => `${tag}:usage:${day}`,
    /** Requests to `/mcp` in a month (`YYYY-MM`, UTC). */
    mcpUsage: (month: string) => `${tag}:usage:${month}:mcp`,
    /** The page of a feed link that was made last, by the hash of its token. */
    feedPage: (hash: string) => `${tag}:feed:${hash}`,
    /** Pages of feed links that were charged on a day (`YYYY-MM-DD`, UTC). */
    feedPages: (day: string) => `${tag}:feeds:${day}`,
    /** Requests that were refused or failed, the newest first. */
    errors: `${tag}:errors`,
  };
}
