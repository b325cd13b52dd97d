import { setTimeout as pause } from "node:timers/promises";

const GIVE_UP_MS = 60_000;
const TELL_EVERY_MS = 5000;

class EngineAway extends Error {
  override name = "EngineAway";
}

/**
 * Waits until `answers` stops throwing and reports every few seconds what it waits for. Rejects after a minute with a text that says
 * what to check. `engine`: its name. `address`: without credentials.
 */
export async function waitForEngine(
  engine: string,
  address: string,
  answers: () => Promise<unknown>,
  tell: (line: string) => void,
  giveUpMs = GIVE_UP_MS,
): Promise<void> {
  const start = Date.now();
  let told = 0;
  for (;;) {
    try {
      await answers();
      return;
    } catch (error) {
      const waited = Date.now() - start;
      const reason = error instanceof Error ? error.message : String(error);
      if (waited >= giveUpMs) {
        throw new EngineAway(
          `${engine} at ${address} has not answered for ${Math.round(waited / 1000)} s (${reason}). Is it running, and is the address right? See ELASTICSEARCH_URL and REDIS_URL.`,
        );
      }
      if (Date.now() - told >= TELL_EVERY_MS) {
        tell(`waiting for ${engine} at ${address} (${reason})`);
        told = Date.now();
      }
      await pause(500);
    }
  }
}

/** An address, or several separated by commas, as it may be shown: without user and password. */
export function shownAddress(urls: string): string {
  const shown = urls.split(",").map((url) => {
    const each = new URL(url);
    each.username = "";
    each.password = "";
    return each.href;
  });
  return shown.join(", ");
}
