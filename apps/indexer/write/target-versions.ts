import type { Client } from "@elastic/elasticsearch";
import { extend, extensionOf } from "@tranche/read-models/indices/extension";
import { type IndexVersion, readIndexVersions } from "@tranche/read-models/indices/index-versions";
import { fieldsOf } from "@tranche/read-models/indices/mappings";
import { isNewer, isOlder, OWN_VERSIONS, shownVersions, type Versions } from "@tranche/read-models/indices/versions";
import type { Logger } from "@tranche/shared/process/logger";
import { giveUp } from "@tranche/shared/protocol/rebuild/give-up";
import { type IndexRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import {
  INDEX_ROLES,
  type IndexNames,
  type IndexRole,
  READ_MODELS,
  type ReadModel,
} from "@tranche/shared/engines/search/index-names";
import { NewerVersion } from "./newer-version.ts";

/** An index's versions never change, so this is only for one that was restored or created anew under its name. */
const KNOWN_FOR_MS = 60_000;

/** The versions of the indices that this process writes to. */
export type TargetVersions = {
  /**
   * Makes sure that this version may write to every index with a role, and prepares those that it has not seen yet. Asks Elasticsearch
   * only about these. Throws NewerVersion when the live or the building index is of a later version. A later previous index is given up
   * instead, since it can no longer be kept up to date. Returns the roles that are left.
   */
  admit(roles: IndexRoles): Promise<IndexRoles>;
  /** The fields that documents for an index have to leave out, because the index lacks them or maps them to another type. */
  leftOut(index: string): ReadonlySet<string>;
};

const NONE: ReadonlySet<string> = new Set();

type Known = { version: IndexVersion; leftOut: ReadonlySet<string>; until: number };

export function createTargetVersions(
  parts: { client: Client; names: IndexNames; log: Pick<Logger, "info" | "warn" | "error"> },
  own: Versions = OWN_VERSIONS,
): TargetVersions {
  const { client, names, log } = parts;
  const known = new Map<string, Known>();

  const learn = async (model: ReadModel, version: IndexVersion) => {
    const { index, created } = version;
    const first = !known.has(index);
    const extension = extensionOf(version, fieldsOf(model), own);
    const leftOut = await extend(client, index, extension);
    known.set(index, { version, leftOut, until: Date.now() + KNOWN_FOR_MS });
    if (first && isOlder(created, own) && !isNewer(created, own)) {
      log.warn(
        { index, created, own, added: Object.keys(extension.added), leftOut: [...leftOut] },
        "an index is of an earlier version; documents are written to it in the shape that it takes. A rebuild is due: run `ops reindex`",
      );
    }
  };

  const versions: TargetVersions = {
    async admit(roles) {
      const held = READ_MODELS.flatMap((model) =>
        INDEX_ROLES.flatMap((role) => {
          const index = roles[model][role];
          return index === undefined ? [] : [{ model, role, index }];
        }),
      );
      const now = Date.now();
      const unknown = held.filter(({ index }) => !((known.get(index)?.until ?? 0) > now));
      if (unknown.length > 0) {
        const modelOf = new Map(unknown.map(({ index, model }) => [index, model]));
        for (const version of await readIndexVersions(client, [...modelOf.keys()])) {
          await learn(modelOf.get(version.index)!, version);
        }
        for (const index of known.keys()) if (!held.some((each) => each.index === index)) known.delete(index);
      }
      const newer = held.filter(({ index }) => {
        const found = known.get(index);
        return found && isNewer(found.version.created, own);
      });
      const refused = newer.find(({ role }) => role !== "previous");
      if (refused) throw new NewerVersion(newerText(refused, known.get(refused.index)!.version.created, own));
      if (newer.length === 0) return roles;
      const why = "they are of a later version than an indexer that writes, which can't keep them up to date";
      await giveUp(parts, newer[0]!.index, why);
      return versions.admit(await readIndexRoles(client, names));
    },
    leftOut: (index) => known.get(index)?.leftOut ?? NONE,
  };
  return versions;
}

function newerText({ role, index }: { role: IndexRole; index: string }, created: Versions, own: Versions): string {
  return (
    `the ${role} index ${index} is of a later version (${shownVersions(created)}) than this indexer (${shownVersions(own)}): ` +
    "its jobs are left to indexers of that version. Update this one, or go back with `ops rollback`"
  );
}
