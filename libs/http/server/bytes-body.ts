import { TooLate, withTimeLimit } from "@tranche/shared/process/time-limit";
import type { Context } from "koa";
import { HttpError } from "../errors/http-error.ts";
import { REQUEST_FAULTS } from "../errors/request-faults.ts";

/** A sender that is silent for so long is gone, however slow its line is. */
const SILENT_FOR_MS = 10_000;

/**
 * The body of a request as it was sent. Throws `too_large` above `limit` bytes, and never holds more, and `request_timeout` when no byte
 * comes for `silentForMs`.
 */
export async function bytesOf(
  ctx: Pick<Context, "headers" | "req">,
  limit: number,
  silentForMs = SILENT_FOR_MS,
): Promise<Buffer> {
  const tooLarge = () => new HttpError("too_large", 413, `The request is larger than ${Math.floor(limit / 1024)} KiB.`);
  if (Number(ctx.headers["content-length"] ?? 0) > limit) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  // Without this, an early end of the reading would end the connection before the answer.
  const chunks = ctx.req.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>;
  for (;;) {
    const { done, value } = await withTimeLimit(chunks.next(), silentForMs).catch((error: Error) => {
      if (!(error instanceof TooLate)) throw error;
      throw new HttpError(
        "request_timeout",
        REQUEST_FAULTS.request_timeout,
        `No byte came for ${silentForMs / 1000} s after the first ${Math.ceil(length / 1024)} KiB. Send it again.`,
      );
    });
    if (done) return Buffer.concat(parts);
    length += value.length;
    if (length > limit) throw tooLarge();
    parts.push(value);
  }
}
