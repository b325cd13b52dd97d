/** Oracles run in full with ORACLES=full, as the drill `oracles` runs them; `npm test` sends fewer requests to fewer records. */
const isFull = process.env["ORACLES"] === "full";

/** The size of something in an oracle. */
export const sized = <T>(short: T, full: T): T => (isFull ? full : short);
