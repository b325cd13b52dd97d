import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { RebuildFailed, type StepFunction } from "./step.ts";

/** Makes the new indices targets: from now on every write goes to them, too. */
export const open: StepFunction = async (parts, read) => {
  const roles = await readIndexRoles(parts.client, parts.names);
  const changes = READ_MODELS.map((model) => ({
    model,
    role: "building" as const,
    from: roles[model].building,
    to: read.rebuild.indices[model],
  })).filter(({ from, to }) => from !== to);
  if (changes.length > 0 && !(await moveRoles(parts.client, parts.names, changes))) {
    throw new RebuildFailed("Elasticsearch refused to make the new indices targets: their roles changed meanwhile");
  }
  return parts.rebuilds.save(read, { state: "copying", since: await parts.tickets.take() });
};
