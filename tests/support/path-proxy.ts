import { createServer, request } from "node:http";
import { freePort } from "./service.ts";

/** A proxy that serves an address under a path, takes the path off, and answers everything else with 404. */
export type PathProxy = { url: string; sendTo: (base: string) => void; close: () => void };

/** Starts a proxy that serves `path`, such as `/tranche`. `sendTo` names the service behind it. */
export async function startPathProxy(path: string): Promise<PathProxy> {
  const port = await freePort();
  let target = "";
  const server = createServer((incoming, outgoing) => {
    if (!incoming.url!.startsWith(`${path}/`)) return void outgoing.writeHead(404).end("outside the service");
    // The service behind it never sees the proxy's name.
    const headers = { ...incoming.headers, host: "internal.invalid" };
    const sent = request(target + incoming.url!.slice(path.length), { method: incoming.method!, headers });
    sent.on("response", (answer) => answer.pipe(outgoing.writeHead(answer.statusCode!, answer.headers)));
    sent.on("error", () => outgoing.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${port}${path}`,
    sendTo: (base) => (target = base),
    close: () => server.close().closeAllConnections(),
  };
}
