/** Some tests have a full form, which the drill `full-size` runs; `npm test` sends fewer requests to fewer records. */
const isFull = process.env["TEST_SIZE"] === "full";

/** The size of something in a test. */
export const sized = <T>(short: T, full: T): T => (isFull ? full : short);
