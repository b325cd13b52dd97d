import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { fromFolder, fromImage, type Launch, PROJECT } from "../support/launch.ts";

const docker = (...args: string[]) => promisify(execFile)("docker", args);
const CODE = ["apps", "libs", "package.json", "tsconfig.json"];

/** The version after this one: the code of this project with one more field. */
export type NextVersion = { launch: Launch; remove(): Promise<void> };

/** The field that the next version adds to funding documents, with the value that its derivation gives it. */
export const ADDED_FIELD = "investor_count";
/** The figure that the next version computes from it in the statistics of rounds. */
const ADDED_FIGURE = `added: { sum: { field: "${ADDED_FIELD}" } },`;

/** What the next version changes: a mapping, the rules of derivation, and both of their numbers. */
const CHANGES: readonly { file: string; from: RegExp; to: string }[] = [
  {
    file: "libs/read-models/indices/versions.ts",
    from: /(READ_MODEL_SCHEMA = )(\d+)/,
    to: "$1$2 + 1",
  },
  {
    file: "libs/read-models/indices/versions.ts",
    from: /(DERIVATION = )(\d+)/,
    to: "$1$2 + 1",
  },
  {
    file: "libs/read-models/indices/mappings.ts",
    from: /(funding: \{\s+dynamic: "strict",\s+properties: \{)/,
    to: `$1\n      ${ADDED_FIELD}: { type: "long" },`,
  },
  {
    file: "apps/indexer/derive/funding.ts",
    from: /(return \{\s+listed: true,)/,
    to: `$1\n    ${ADDED_FIELD}: investors.length,`,
  },
  {
    file: "apps/api/stats/funding.ts",
    from: /(tally: \{)/,
    to: `$1 ${ADDED_FIGURE}`,
  },
];

/**
 * Copies the project and changes the copy; with the `image` of this version, what has changed is a layer above it. Throws when the code to
 * change is no longer as expected here.
 */
export async function createNextVersion(image?: string): Promise<NextVersion> {
  const folder = await mkdtemp(join(tmpdir(), "tranche-next-"));
  const isCode = (path: string) => !/\/node_modules(\/|$)|\.test\.ts$/.test(path);
  for (const each of CODE) {
    await cp(join(PROJECT, each), join(folder, each), { recursive: true, filter: (source) => isCode(source) });
  }
  await linkPackages(folder);
  for (const { file, from, to } of CHANGES) {
    const path = join(folder, file);
    const code = await readFile(path, "utf8");
    const changed = code.replace(from, to);
    if (changed === code) throw new Error(`${file} has nothing like ${from.source}: change the drill with it`);
    await writeFile(path, changed);
  }
  const removeFolder = () => rm(folder, { recursive: true, force: true });
  if (image === undefined) return { launch: fromFolder(folder), remove: removeFolder };
  const next = await buildAbove(image, folder);
  return {
    launch: fromImage(next),
    async remove() {
      await docker("image", "rm", "--force", next);
      await removeFolder();
    },
  };
}

/** @returns the name of the image */
async function buildAbove(image: string, folder: string): Promise<string> {
  const files = [...new Set(CHANGES.map(({ file }) => file))];
  const lines = [`FROM ${image}`, ...files.map((file) => `COPY ${file} /app/${file}`)];
  await writeFile(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
  await writeFile(join(folder, ".dockerignore"), "node_modules\n");
  const next = "tranche-drill:next-version";
  await docker("build", "--quiet", "--tag", next, folder);
  return next;
}

/** Packages are those of this project; its own libraries are those of the copy. */
async function linkPackages(folder: string): Promise<void> {
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "@tranche"), { recursive: true });
  for (const name of await readdir(join(PROJECT, "node_modules"))) {
    if (name !== "@tranche") await symlink(join(PROJECT, "node_modules", name), join(modules, name));
  }
  for (const root of ["apps", "libs"]) {
    for (const name of await readdir(join(PROJECT, root))) {
      if (root === "libs") await symlink(join(folder, root, name), join(modules, "@tranche", name));
      const own = join(PROJECT, root, name, "node_modules");
      if ((await readdir(own).catch(() => [])).length > 0) await symlink(own, join(folder, root, name, "node_modules"));
    }
  }
}
