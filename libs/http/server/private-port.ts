import Koa, { type Context } from "koa";
import { operatorsOnly } from "./operators-only.ts";
import { requestIds } from "./request-id.ts";
import { securityHeaders } from "./security-headers.ts";
import { closeServer, createHttpServer, listen } from "./server.ts";

const CLOSE_WITHIN_MS = 1000;

export type PrivatePort = { address: string; close: () => Promise<void> };

/** A port for health and metrics, under the rules of the operators' port for the Host header and the token. */
export async function servePrivatePort(
  settings: { port: number; publicPath: string } & Parameters<typeof operatorsOnly>[0],
  answer: (ctx: Context) => Promise<void>,
): Promise<PrivatePort> {
  const { port, publicPath, listening, named, token } = settings;
  const app = new Koa();
  app.use(requestIds());
  app.use(securityHeaders());
  app.use(operatorsOnly({ listening, named, token }));
  app.use(answer);
  const server = createHttpServer(app.callback(), { publicPath });
  const address = await listen(server, port, listening);
  return { address, close: () => closeServer(server, CLOSE_WITHIN_MS) };
}
