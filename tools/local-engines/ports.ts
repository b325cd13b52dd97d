import { createServer } from "node:net";

/** Below the range that systems hand out to outgoing connections, so that a port stays free until its engine has booted. */
const LOWEST = 20_000;
const HIGHEST = 32_000;

/** `count` different ports that nobody listens on at the loopback interface. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  for (let attempt = 0; ports.size < count; attempt++) {
    if (attempt > 200) throw new Error(`No free port between ${LOWEST} and ${HIGHEST} at 127.0.0.1.`);
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await portIsFree(port, "127.0.0.1")) ports.add(port);
  }
  return [...ports];
}

/** Whether a server could listen on that port now. */
export function portIsFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}
