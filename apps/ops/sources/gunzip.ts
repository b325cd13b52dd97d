import { createGunzip } from "node:zlib";
import { SourceError } from "./item.ts";
import { piecewise } from "./piecewise.ts";

/** Unpacks gzip. A file that was cut off gives everything up to the cut, then throws a SourceError. */
export async function* gunzip(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* piecewise<Buffer>(createGunzip(), packed);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (!code?.startsWith("Z_")) throw error;
    throw new SourceError(
      code === "Z_BUF_ERROR" ? "the gzip file is cut off here" : `the gzip file is damaged here: ${message}`,
    );
  }
}
