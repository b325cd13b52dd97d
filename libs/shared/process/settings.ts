import type { z } from "zod";
import { readSecretFiles } from "./secret-files.ts";
import { type Row, SETTINGS } from "./setting-rows.ts";

export type Settings = { [K in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[K]["schema"]> };

export class SettingsError extends Error {
  override name = "SettingsError";
}

/** The settings that may come from a file: `NAME_FILE` names it. */
const SECRET_SETTINGS: readonly string[] = Object.entries(SETTINGS).flatMap(([name, row]: [string, Row]) =>
  row.secret ? [name] : [],
);

/** The environment with the secrets of its `NAME_FILE` variables read, for processes that get it passed on. Throws a SettingsError. */
export function environmentWithSecrets(environment: Record<string, string | undefined>): NodeJS.ProcessEnv {
  const { environment: completed, problems } = readSecretFiles(environment, SECRET_SETTINGS);
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return completed;
}

/** Reads all settings from an environment and from the files it names. Throws a SettingsError that names every one that is wrong. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const { environment: completed, problems } = readSecretFiles(environment, SECRET_SETTINGS);
  const entries = Object.entries(SETTINGS).map(([name, row]: [string, Row]) => {
    const given = completed[name] || row.fallback;
    const parsed = row.schema.safeParse(given);
    if (!parsed.success) {
      const shown = row.secret ? "" : ` is '${given}'`;
      problems.push(
        `${name}${shown}: ${parsed.error.issues.map((issue) => issue.message).join("; ")}. ${row.description}`,
      );
    }
    return [name, parsed.data];
  });
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return Object.fromEntries(entries) as Settings;
}

/** The clock for signals and dates, in milliseconds: real time, or the fixed one of TRANCHE_NOW. */
export function clockOf(settings: Pick<Settings, "TRANCHE_NOW">): () => number {
  const fixed = settings.TRANCHE_NOW === undefined ? undefined : Date.parse(settings.TRANCHE_NOW);
  return fixed === undefined ? Date.now : () => fixed;
}
