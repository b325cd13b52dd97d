import type { Client } from "@elastic/elasticsearch";
import { readIndexVersions } from "@tranche/read-models/indices/index-versions";
import { fieldsOf } from "@tranche/read-models/indices/mappings";
import type { Logger } from "@tranche/shared/log/logger";
import { type IndexNames, READ_MODELS, type ReadModel } from "@tranche/shared/search/index-names";

const LOOK_EVERY_MS = 10_000;

/**
 * Fields of this version that not all documents of the live index have. After an upgrade an index of the version before takes the new
 * fields, but only a rebuild fills them for all documents; a search by one would find too little.
 */
export type LackingFields = {
  of(model: ReadModel): ReadonlySet<string>;
  close(): void;
};

/** Looks at the live indices, and again every 10 s. Where the mappings can't be read, no field counts as lacking. */
export async function watchLackingFields(
  client: Client,
  names: IndexNames,
  log: Pick<Logger, "warn">,
): Promise<LackingFields> {
  const lacking = new Map<ReadModel, ReadonlySet<string>>();
  const look = async () => {
    for (const model of READ_MODELS) {
      const [live] = await readIndexVersions(client, [names.role(model, "live")]);
      if (!live) continue;
      const missing = Object.keys(fieldsOf(model)).filter((field) => !(field in live.fields));
      lacking.set(model, new Set([...missing, ...live.incomplete]));
    }
  };
  await look().catch((error: Error) =>
    log.warn(
      { reason: error.message },
      "the mappings of the live indices can't be read: after an upgrade, rows may be missing until the next rebuild",
    ),
  );
  let looking = Promise.resolve();
  const timer = setInterval(() => void (looking = looking.then(look).catch(() => {})), LOOK_EVERY_MS);
  timer.unref();
  return {
    of: (model) => lacking.get(model) ?? NONE,
    close: () => clearInterval(timer),
  };
}

const NONE: ReadonlySet<string> = new Set();
