import { once } from "node:events";
import { connect } from "node:net";

/** Sends bytes to a port of this machine as they are, and returns the status of the answer. */
export async function statusOfBytes(bytes: string, port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.end(bytes, "latin1");
  let text = "";
  for await (const chunk of socket) text += String(chunk);
  return Number(text.split(" ")[1]);
}
