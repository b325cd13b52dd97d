/**
 * Calls `close` once, with the reason, on SIGTERM, on SIGINT or when the parent process ends. Exits with 0 when it is done.
 */
export function onShutdown(close: (reason: string) => Promise<void>): void {
  let closing = false;
  const shutDown = async (reason: string): Promise<void> => {
    if (closing) return;
    closing = true;
    await close(reason);
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void shutDown(signal));
  process.on("disconnect", () => void shutDown("the parent process is gone"));
}
