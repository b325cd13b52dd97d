import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { closeServer, openPort } from "./server.ts";

const BODY = "0123456789";
const closing: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A connection to a server that refuses each request at once, and takes uploads at `/upload`. */
async function connected(): Promise<Socket> {
  const { server, address, answer } = await openPort({
    port: 0,
    host: "127.0.0.1",
    publicPath: "",
    isUpload: ({ url }) => url === "/upload",
  });
  answer(async (_request, response) => void response.writeHead(401).end("no"));
  const socket = connect(Number(new URL(address).port), "127.0.0.1");
  closing.push(
    () => void socket.destroy(),
    () => closeServer(server, 0),
  );
  await once(socket, "connect");
  return socket;
}

const request = (body: string) =>
  `POST /upload HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${BODY.length}\r\n\r\n${body}`;

async function answered(socket: Socket): Promise<void> {
  let text = "";
  while (!text.endsWith("no\r\n0\r\n\r\n") && !text.endsWith("\r\n\r\nno")) {
    const [piece] = (await once(socket, "data")) as [Buffer];
    text += piece.toString();
  }
  expect(text).toMatch(/^HTTP\/1\.1 401 /);
}

test("an upload that is refused before its end has come loses its connection", async () => {
  const socket = await connected();
  const ended = once(socket, "end");
  socket.write(request(BODY.slice(0, 1)));
  await answered(socket);
  await ended;
});

test("one that came whole keeps it for the next", async () => {
  const socket = await connected();
  for (let n = 0; n < 3; n++) {
    socket.write(request(BODY));
    await answered(socket);
  }
  expect(socket.readableEnded).toBe(false);
});
