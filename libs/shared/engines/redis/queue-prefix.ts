/** The beginning of all Redis keys of queues. The braces keep them in one slot of a Cluster. */
export const queuePrefix = (namespace: string) => `{${namespace}}`;
