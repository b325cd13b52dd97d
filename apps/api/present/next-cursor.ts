import type { RowPosition } from "@tranche/read-models/query/row-position";
import { encodeCursor } from "@tranche/read-models/query/cursor";
import { listDigest } from "@tranche/read-models/query/sealed";

/** The cursor of the page after a position in a list; undefined when no row follows. `filtersApplied`: as callers get them. */
export function nextCursor(
  path: string,
  filtersApplied: Readonly<Record<string, unknown>>,
  next: RowPosition | undefined,
): string | undefined {
  return next && encodeCursor({ digest: listDigest(path, filtersApplied), position: next });
}
