import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Offers test files what is there only later than the addresses that vitest gives them: who asks gets it as JSON, or why it could not be made. */
export async function offer(make: () => Promise<object>): Promise<{ address: string; close: () => void }> {
  const server = createServer((_, response) => {
    make().then(
      (made) => response.end(JSON.stringify(made)),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}

/** What somebody offers at an address, once it is there. */
export async function offered<T>(address: string): Promise<T> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`what tests share did not start: ${await answer.text()}`);
  return (await answer.json()) as T;
}
