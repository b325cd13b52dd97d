import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { freePort } from "./service.ts";

/** An address that can go away: a way to an engine. */
export type Way = {
  /** Host and port. */
  address: string;
  /** Cuts it, with everything that is under way. */
  close(): void;
  /** As a host without power: open connections stay open and silent, and no new one is taken. */
  vanish(): void;
  /** New connections are taken again; those from before stay silent. */
  comeBack(): Promise<void>;
};

/** Opens a way to the engine at this URL. */
export async function openWay(engineUrl: string): Promise<Way> {
  const { hostname, port } = new URL(engineUrl);
  const sockets = new Set<Socket>();
  const listen = async (at: number): Promise<Server> => {
    const listening = createServer((caller) => {
      const engine = connect(Number(port), hostname);
      for (const socket of [caller, engine]) sockets.add(socket.on("error", () => {}));
      caller.pipe(engine).pipe(caller);
      caller.on("close", () => engine.destroy());
      engine.on("close", () => caller.destroy());
    }).listen(at, "127.0.0.1");
    await once(listening, "listening");
    return listening;
  };
  // It has to be free again when the way comes back.
  const own = await freePort();
  let server = await listen(own);
  return {
    address: `127.0.0.1:${own}`,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    vanish() {
      server.close();
      for (const socket of sockets) socket.unpipe().pause();
    },
    async comeBack() {
      server = await listen(own);
    },
  };
}
