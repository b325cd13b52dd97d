/** A promise took longer than its limit. */
export class TooLate extends Error {
  override name = "TooLate";
}

/** Settles like `promise`, but rejects with TooLate when that takes longer than `ms`. The work behind the promise continues. */
export function withTimeLimit<T>(promise: Promise<T>, ms: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new TooLate(`no answer within ${ms} ms`)), ms);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
