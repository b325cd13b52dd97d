import type { RebuildStore } from "@tranche/shared/protocol/rebuild/state";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { copyCompanies } from "../rebuild/copy-companies.ts";
import { copyInvestors } from "../rebuild/copy-investors.ts";
import type { SlicedWork } from "../rebuild/sliced-work.ts";
import { rederivation, type RederiveParts } from "../upkeep/rederive.ts";
import { verification } from "../rebuild/verify-documents.ts";

/** Every work that indexers share slice by slice. */
export function slicedWorks(parts: RederiveParts & { rebuilds: RebuildStore }): SlicedWork<unknown>[] {
  return [
    copyCompanies(parts),
    copyInvestors(parts),
    ...READ_MODELS.flatMap((model) => [
      ...[false, true].map((repair) => verification(parts, { model, repair })),
      ...[false, true].map((again) => rederivation(parts, { model, again })),
    ]),
  ];
}
