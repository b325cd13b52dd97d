import type { TestContext } from "vitest";

/** Leaves a test out and prints why. */
export function leaveOut(context: TestContext, what: string, error: unknown): never {
  const reason = (error as Error).message.trim().split("\n")[0];
  console.log(`LEFT OUT: ${what}: ${reason}`);
  return context.skip(reason);
}
