import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder of data, and the engine that is about to open it. `remedy`: how to get a newer one of that major, for people. */
export type EngineData = {
  engine: "Elasticsearch" | "Redis";
  folder: string;
  version: string;
  remedy: (major: number) => string;
};

const NOTE = "engine-version";
/** Where Redis keeps its append-only files since version 7. Older ones ignore it, and start empty. */
const REDIS_7_FOLDER = "appendonlydir";

/** Throws when a later major version wrote the data: an earlier one loses it or cannot read it. */
export function assertReadable({ engine, folder, version, remedy }: EngineData): void {
  const writer = writerOf(folder);
  if (writer === undefined || majorOf(writer) <= majorOf(version)) return;
  throw new Error(
    `The data in ${folder} was written by ${engine} ${writer}, which ${engine} ${version} cannot read. ` +
      `${remedy(majorOf(writer))}, or set TRANCHE_HOME to another folder.`,
  );
}

/** Notes, before an engine opens its data, which version does. The note lies among the data, so that it goes with it. */
export function noteVersion({ folder, version }: EngineData): void {
  writeFileSync(join(folder, NOTE), `${version}\n`);
}

/** The version that opened the data last, as far as it left a trace. */
function writerOf(folder: string): string | undefined {
  const note = join(folder, NOTE);
  if (existsSync(note)) return readFileSync(note, "utf8").trim() || undefined;
  return existsSync(join(folder, REDIS_7_FOLDER)) ? "7" : undefined;
}

const majorOf = (version: string): number => Number.parseInt(version, 10);
