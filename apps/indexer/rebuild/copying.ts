import type { Rebuild, RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import type { PipelineParts } from "../pipeline/parts.ts";

/** The dependencies of the slices of a copy. */
export type CopyParts = PipelineParts & { rebuilds: Pick<RebuildStore, "read"> };

/** The rebuild with this id, if it still copies: it may have been cancelled, failed or followed by another. */
export async function copying({ rebuilds }: CopyParts, id: string): Promise<Rebuild | undefined> {
  const rebuild = (await rebuilds.read())?.rebuild;
  return rebuild?.id === id && rebuild.state === "copying" ? rebuild : undefined;
}
