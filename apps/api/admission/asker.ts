/** The account and the key that a request names. The key's checksum is right; whether the key works is not known yet. */
export type Asker = { handle: string; hash: string };
