import { READ_MODELS } from "@tranche/shared/search/index-names";
import { rederivation } from "../maintenance/rederive.ts";
import { copyCompanies } from "../rebuild/copy-companies.ts";
import { copyInvestors } from "../rebuild/copy-investors.ts";
import type { SlicedWork } from "../slices/work.ts";
import { verification } from "../verify/verify.ts";
import type { WorkerOptions, WorkerParts } from "./parts.ts";

/** Every work that indexers share slice by slice. */
export function slicedWorks({
  pipeline,
  rebuild,
  waiting,
  until,
}: Pick<WorkerParts, "pipeline" | "rebuild" | "waiting"> & Pick<WorkerOptions, "until">): SlicedWork<unknown>[] {
  const copyParts = { ...pipeline, rebuilds: rebuild.rebuilds };
  const rederiveParts = { ...pipeline, waiting, until };
  return [
    copyCompanies(copyParts),
    copyInvestors(copyParts),
    ...READ_MODELS.flatMap((model) => [
      ...[false, true].map((repair) => verification(pipeline, { model, repair })),
      ...[false, true].map((again) => rederivation(rederiveParts, { model, again })),
    ]),
  ];
}
