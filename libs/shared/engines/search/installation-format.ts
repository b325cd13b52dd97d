import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "./index-names.ts";
import { retryForever } from "./retry-forever.ts";

/**
 * The format of everything that an installation keeps in Elasticsearch, in Redis and in the home of `npm start`. It is noted when these are
 * created. Raise it only with code that reads the format before.
 */
export const INSTALLATION_FORMAT = 1;

/** The last commit that noted no format. */
const LAST_WITHOUT_FORMAT = "7f4ece9a";

/** Why this version can't use what has this format; undefined when it can. `holder`: what has it, for people. */
export function formatProblem(holder: string, format: unknown): string | undefined {
  if (typeof format !== "number") {
    return `${holder} is of a commit before formats were kept, so it was left as it is: \`npm run -s ops -- export > records.ndjson\` at commit ${LAST_WITHOUT_FORMAT} writes its records to a file, and \`npm run -s ops -- ingest records.ndjson\` reads them here, in another TRANCHE_NAMESPACE or TRANCHE_HOME.`;
  }
  if (format <= INSTALLATION_FORMAT) return undefined;
  return `${holder} has format ${format}, and this version reads formats up to ${INSTALLATION_FORMAT}, so it was left as it is: use the version that made it, or a later one.`;
}

/**
 * The same for the installation with these names; undefined also when it is still to be created. The format is in the mapping of the control
 * index, because an index and its mapping are created in one step: several processes may start at once.
 */
export async function installationProblem(
  client: Client,
  { control }: Pick<IndexNames, "control">,
): Promise<string | undefined> {
  const request = { index: control, ignore_unavailable: true };
  const { [control]: found } = await retryForever(() => client.indices.getMapping(request, { ignore: [404] }));
  return found && formatProblem(`The data of ${control.replace(/-control$/, "")}`, found.mappings._meta?.["format"]);
}
