import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** The conformance tests send no key: this passes their requests on with one. It prints its address. */

const { BASE_URL = "http://127.0.0.1:3000", API_KEY = "" } = process.env;

const server = createServer((asked, answer) => {
  const headers = { ...asked.headers, authorization: `Bearer ${API_KEY}` };
  const passedOn = request(new URL(asked.url ?? "/", BASE_URL), { method: asked.method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  passedOn.on("error", (error) => answer.destroy(error));
  asked.pipe(passedOn);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`));
