import type { Context } from "koa";
import { HttpError } from "../errors/http-error.ts";

/** The body of a request as it was sent. Throws `too_large` above `limit` bytes, and never holds more. */
export async function bytesOf(ctx: Context, limit: number): Promise<Buffer> {
  const tooLarge = () => new HttpError("too_large", 413, `The request is larger than ${Math.floor(limit / 1024)} KiB.`);
  if (Number(ctx.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  // Without this, an early end of the reading would end the connection before the answer.
  for await (const chunk of ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>) {
    length += chunk.length;
    if (length > limit) throw tooLarge();
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
