import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Stands before an engine and breaks connections in the middle of an answer. */
export type CuttingDoor = { url: string; cuts: number; close(): void };

/** The first `cuts` connections are broken when they have answered with `bytes`, the others go through. */
export async function startCuttingDoor(target: string, cuts: number, bytes: number): Promise<CuttingDoor> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const server = createServer((caller) => {
    const engine = connect(Number(port), hostname);
    let left = bytes;
    for (const socket of [caller, engine]) open.add(socket.on("error", () => {}));
    caller.pipe(engine);
    caller.on("close", () => engine.destroy());
    engine.on("end", () => caller.end());
    engine.on("data", (data) => {
      if (door.cuts === 0) return void caller.write(data);
      caller.write(data.subarray(0, left));
      left -= data.length;
      if (left > 0) return;
      door.cuts--;
      caller.destroySoon();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const door: CuttingDoor = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return door;
}
