/** Throws when something that was just made must not stay. */
export type MayStay = () => Promise<void>;

/**
 * Looks again after something was made, because others may have done something at the same time that forbids it: made as many, or removed
 * who asked for it. It is taken back then, and the error is passed on. Of several at once that are too many together, some or all are
 * taken back.
 */
export async function assertStays(mayStay: MayStay, takeBack: () => Promise<unknown>): Promise<void> {
  try {
    await mayStay();
  } catch (error) {
    await takeBack();
    throw error;
  }
}
