import { type ReadRebuild, RebuildMoved } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { refreshed } from "@tranche/shared/engines/search/refreshed";
import { countOf } from "../pipeline/pages.ts";
import { shareOut } from "./share-out.ts";
import { copyCompanies } from "./copy-companies.ts";
import { copyGone } from "./copy-gone.ts";
import { copyInvestors } from "./copy-investors.ts";
import { copying } from "./copying.ts";
import type { RebuildParts } from "./parts.ts";

/**
 * Fills the new indices from the records: companies with their rounds first, then investors, counted from the rounds of the new
 * funding index. All indexers share the work slice by slice; this one waits until every slice is done.
 */
export async function copy(parts: RebuildParts, start: ReadRebuild): Promise<ReadRebuild> {
  const counts = await Promise.all(READ_MODELS.map((model) => countOf(parts, model)));
  const expected = counts.reduce((sum, count) => sum + count, 0);
  let read = await parts.rebuilds.save(start, { expected });
  const { id, indices } = read.rebuild;
  const sharing = { ...parts, queue: parts.copyQueue };
  let companies = 0;
  const saveProgress = async (found: number) => {
    const written = companies + found;
    if (written !== read.rebuild.written) read = await parts.rebuilds.save(read, { written });
    else if (!(await copying(parts, id))) throw new RebuildMoved(`rebuild ${id} was cancelled or overtaken`);
    await parts.onProgress(written / Math.max(1, expected));
  };

  companies = await shareOut(sharing, copyCompanies(parts), { run: id }, saveProgress);
  await copyGone(parts, read.rebuild);
  const refresh = (index: string) => refreshed(parts.client, parts.names.ownAlias(index), parts.onRetry);
  await refresh(indices.funding);
  // Companies are to be refreshed before they are verified, which takes the engine one core for a while.
  await Promise.all([refresh(indices.companies), shareOut(sharing, copyInvestors(parts), { run: id }, saveProgress)]);
  return parts.rebuilds.save(read, { state: "verifying" });
}
