/** What all Redis keys of queues begin with. The braces keep them in one slot of a Cluster. */
export const queuePrefix = (namespace: string) => `{${namespace}}`;
