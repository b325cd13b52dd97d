import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Answers with this, such as the callback of an app, on a port of its own. `url`: without a slash at the end. */
export async function served(
  listener: (request: IncomingMessage, response: ServerResponse) => unknown,
): Promise<{ url: string; close: () => void }> {
  const server = createServer((request, response) => void listener(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => void server.close(),
  };
}
