import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** The wire between the API and Redis. */
export type RedisWire = {
  url: string;
  /** Cuts the next connection on which Redis answers, before the answer is through: the command is done all the same. */
  cut: () => Promise<void>;
  close(): Promise<void>;
};

export async function startRedisWire(target: string): Promise<RedisWire> {
  const at = new URL(target);
  const sockets = new Set<Socket>();
  let cutting: (() => void) | undefined;
  const server = createServer((near) => {
    const far = connect(Number(at.port), at.hostname);
    for (const side of [near, far]) {
      sockets.add(side);
      side.on("close", () => sockets.delete(side));
      side.on("error", () => {});
    }
    near.pipe(far);
    near.on("close", () => far.end());
    far.on("close", () => near.destroy());
    far.on("data", (answer) => {
      if (!cutting) return void near.write(answer);
      cutting();
      cutting = undefined;
      near.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(target);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    cut: () => new Promise((done) => (cutting = done)),
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
