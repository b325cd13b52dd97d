import type { Client } from "@elastic/elasticsearch";
import { askForIndexVersions } from "@tranche/read-models/indices/index-versions";
import { fieldsOf } from "@tranche/read-models/indices/mappings";
import type { IndexNames, ReadModel } from "@tranche/shared/engines/search/index-names";
import { unavailable } from "../errors/api-error.ts";
import { engineError } from "../errors/engine-error.ts";
import type { Generation } from "../serve/generation.ts";

/** Another index can be live at any time, which only its generation tells. */
const WITHOUT_GENERATION_MS = 1000;
const ANSWER_WITHIN_MS = 2000;

/**
 * Fields of this version that not all documents of the live index have. After an upgrade an index of the version before takes the new
 * fields, but only a rebuild backfills them in all documents; a search by one would find too little.
 */
export type LackingFields = {
  /**
   * Those of a read model in a generation, or as of the last second. Throws an error reply such as `unavailable` when the index can't be
   * looked at, because an answer might lack rows.
   */
  of(model: ReadModel, generation?: Pick<Generation, "number">): Promise<ReadonlySet<string>>;
};

/**
 * Looks with `look` when another index may be live since the last time, and every `lookEveryMs`: an index that stays live can get fields
 * that it lacks from a newer version.
 */
export function createLackingFields(
  look: (model: ReadModel) => Promise<ReadonlySet<string>>,
  lookEveryMs: number,
): LackingFields {
  /** `number`: of a generation that was there before the look. */
  const looks = new Map<ReadModel, { at: number; number: number; fields: Promise<ReadonlySet<string>> }>();
  return {
    of(model, generation) {
      const last = looks.get(model);
      const { number = last?.number ?? -1 } = generation ?? {};
      const freshMs = generation ? lookEveryMs : WITHOUT_GENERATION_MS;
      if (last && last.number >= number && performance.now() - last.at < freshMs) return last.fields;
      const fresh = { at: performance.now(), number, fields: look(model) };
      looks.set(model, fresh);
      fresh.fields.catch(() => looks.get(model) === fresh && looks.delete(model));
      return fresh.fields;
    },
  };
}

/** Reads from its mapping which fields the live index of a read model lacks. */
export async function lackingFields(client: Client, names: IndexNames, model: ReadModel): Promise<ReadonlySet<string>> {
  const asking = askForIndexVersions(client, [names.role(model, "live")], { requestTimeout: ANSWER_WITHIN_MS });
  const [live] = await asking.catch((error: unknown) => {
    throw engineError(error);
  });
  if (!live) throw unavailable(new Error(`${model} has no live index`));
  const missing = Object.keys(fieldsOf(model)).filter((field) => !(field in live.fields));
  return new Set([...missing, ...live.incomplete]);
}
