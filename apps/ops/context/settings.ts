import { findRunning, possibleHomes } from "@tranche/shared/process/home";
import { environmentWithSecrets, readSettings, type Settings } from "@tranche/shared/process/settings";
import { unnamedText, withRunning } from "./addresses.ts";

/** The settings of the environment; a running `npm start` of the project fills in the addresses that it does not give. */
export function opsSettings(environment: NodeJS.ProcessEnv, project: string): Settings {
  const running = findRunning(possibleHomes(environment["TRANCHE_HOME"], project));
  return readSettings(withRunning(environmentWithSecrets(environment), running));
}

/** What to say before a command waits for engines that nothing names; undefined where something names them. */
export function unnamedEngines(environment: NodeJS.ProcessEnv, project: string): string | undefined {
  const homes = possibleHomes(environment["TRANCHE_HOME"], project);
  return unnamedText(environment, findRunning(homes), homes[0]!);
}
