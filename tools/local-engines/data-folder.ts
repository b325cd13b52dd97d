import { spawnSync } from "node:child_process";
import { accessSync, chmodSync, constants, existsSync, lchownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { remoteHome } from "@tranche/shared/process/home";

/** The user that local engines run as; empty: the one of this process. */
type EngineUser = { uid?: number; gid?: number };

/** Elasticsearch refuses to run as root. 65534 is nobody on most systems and needs no entry in /etc/passwd. */
const NOBODY = 65_534;

export function engineUser(): EngineUser {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
}

/**
 * The folder where engines keep data, downloads and logs: TRANCHE_HOME, or `.tranche` in the project. As root the engines run as
 * another user; where that one cannot reach the project, it is a folder under /var/lib instead. Made if it is not there.
 * Throws when it cannot be written to.
 */
export function findDataFolder(env: NodeJS.ProcessEnv, project: string, log: (line: string) => void): string {
  const user = engineUser();
  const given = env["TRANCHE_HOME"];
  if (given) return makeDataFolder(resolve(given));
  if (canReach(project, user)) return makeDataFolder(join(project, ".tranche"));
  const home = remoteHome(project);
  log(`uid ${user.uid}, which the engines run as when root starts them, cannot reach ${project}: they live in ${home}`);
  return makeDataFolder(home);
}

/** The folder of the project that this file belongs to. */
export function projectFolder(): string {
  return dirname(dirname(import.meta.dirname));
}

function makeDataFolder(home: string): string {
  // As root the engines' user enters it, too.
  const mode = engineUser().uid === undefined ? 0o700 : 0o711;
  try {
    // Not `recursive` to the end: Node tries for ever where a file system has no folder of this name to give, as in /proc.
    mkdirSync(dirname(home), { recursive: true, mode });
    if (!existsSync(home)) mkdirSync(home, { mode });
    accessSync(home, constants.W_OK | constants.X_OK);
    close(home, mode);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`Cannot write to ${home} (${code}). Set TRANCHE_HOME to a folder of yours.`, { cause: error });
  }
  return home;
}

/** Makes a folder that only its owner can enter: logs and data have hashes of keys and addresses, in files that anybody may read. */
export function privateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  close(folder, 0o700);
}

/** Takes all other rights on a folder away, unless it is somebody else's. */
function close(folder: string, keep: number): void {
  const { mode, uid } = statSync(folder);
  const own = process.getuid?.();
  if (own === uid || own === 0) chmodSync(folder, mode & keep);
}

/**
 * Lets the user that local engines run as into the home, if this process may decide that: a fresh folder is often for its owner only.
 * Returns why that user still cannot enter, undefined when it can.
 */
export function openDataFolder(home: string): string | undefined {
  const user = engineUser();
  if (canReach(home, user)) return undefined;
  // To enter, not to list: secrets in it have modes of their own.
  chmodSync(home, statSync(home).mode | 0o011);
  if (canReach(home, user)) return undefined;
  return (
    `a home that uid ${user.uid} can reach, as which root starts the engines, for Elasticsearch refuses to run as root: ` +
    `set TRANCHE_HOME to a folder whose parents everybody may enter, instead of ${home}, or start as another user`
  );
}

/** Asked of the system itself, as that user: modes, access lists and mounts all have a say. */
function canReach(folder: string, user: EngineUser): boolean {
  if (user.uid === undefined) return true;
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...user, cwd: "/", stdio: "ignore" }).status === 0;
}

/** Gives a folder, with all that is in it, to the user the engines run as, alone. Throws when it cannot be theirs. */
export function ownFolder(folder: string): void {
  close(folder, 0o700);
  const { uid, gid } = engineUser();
  if (uid !== undefined && gid !== undefined) {
    for (const name of ["", ...readdirSync(folder, { recursive: true, encoding: "utf8" })])
      lchownSync(join(folder, name), uid, gid);
    return;
  }
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const text = `${folder} belongs to somebody else (root may have started the engines before). Set TRANCHE_HOME to a folder of yours.`;
    throw new Error(text, { cause: error });
  }
}
