import type { Client } from "@elastic/elasticsearch";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { retryForever, wholeAnswer } from "@tranche/shared/engines/search/retry-forever";
import { Failure } from "../terminal/failure.ts";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import { RESTORE_KIND, type Store } from "./stores.ts";

const ID = "restore";

/** A restore, stored before its first write, so that an interrupted one is known and can be run again. */
type RestoreState = {
  kind: typeof RESTORE_KIND;
  /** Id of the backup, or name of the snapshot. */
  backup: string;
  /** The time of the data in the backup. */
  taken_at: string;
  started_at: string;
  finished_at: string | null;
};

type Parts = { client: Client; names: IndexNames };

async function readRestoreState({ client, names }: Parts): Promise<RestoreState | undefined> {
  const found = await retryForever(() => client.get<RestoreState>({ index: names.control, id: ID }, { ignore: [404] }));
  return found._source;
}

export async function writeRestoreState({ client, names }: Parts, state: RestoreState): Promise<void> {
  await retryForever(() => client.index({ index: names.control, id: ID, document: state, refresh: true }));
}

/** Throws a Failure unless the installation is empty, or a restore of this very backup was interrupted in it: then it returns that. */
export async function assertRestorable(
  parts: Parts,
  stores: readonly Store[],
  backup: string,
): Promise<RestoreState | undefined> {
  const state = await readRestoreState(parts);
  const broken = state?.finished_at === null ? state : undefined;
  if (broken?.backup === backup) return broken;
  const there = await dataIn(parts, stores);
  if (there.length === 0) return undefined;
  const found = there.map(({ name, count }) => `${name} (${shownNumber(count)})`).join(", ");
  const left = broken
    ? ` A restore of backup ${broken.backup} was interrupted here at ${broken.started_at}: run it again with that backup.`
    : "";
  throw new Failure(
    `The installation is not empty, so nothing was restored. It has ${found}.${left} Restore into an empty one: choose another TRANCHE_NAMESPACE, or stop all processes and delete the indices ${indexPattern(parts.names)} first.`,
  );
}

const indexPattern = (names: IndexNames) => `${names.control.slice(0, -"control".length)}*`;

/** The stores with data of the installation. The audit log does not count: it has an entry of each attempt to restore. */
async function dataIn({ client }: Parts, stores: readonly Store[]): Promise<{ name: string; count: number }[]> {
  const counted = stores
    .filter(({ name }) => name !== "control")
    .map(async ({ name, index }) => {
      const query = name === "accounts" ? { bool: { must_not: [{ term: { kind: "audit" } }] } } : { match_all: {} };
      await client.indices.refresh({ index });
      const { count } = await retryForever(async () => wholeAnswer(await client.count({ index, query })));
      return { name, count };
    });
  return (await Promise.all(counted)).filter(({ count }) => count > 0);
}
