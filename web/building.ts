import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type InlineConfig } from "vite";
import { buildDocs } from "./docs/build/build.ts";

const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Its Markdown, and the OpenAPI document of the reference, become the docs. */
const PROJECT = join(FOLDER, "..");
const OUTPUT = join(FOLDER, "dist");
const STAMP = join(OUTPUT, "built-from");
/** The sites of one page, each with the address that it is served under. */
const SITES = { dashboard: "/dashboard/", operators: "/operators/" } as const;

/** For production, whatever NODE_ENV is where it is built: a test may build the pages that are served later. */
const COMMON: InlineConfig = {
  configFile: false,
  logLevel: "warn",
  mode: "production",
  oxc: { jsx: { runtime: "automatic", importSource: "preact", development: false } },
  build: { emptyOutDir: true, target: "es2022", modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
};

/**
 * Builds the pages into `web/dist`, unless what is there was built from the same sources. A build goes into a folder of its own and
 * takes the place of the last one when it is whole. Rejects with the bundler's text.
 */
export async function buildPages(log: (line: string) => void): Promise<void> {
  if (pagesAreBuilt()) return;
  const sources = digestOfSources();
  log("building the pages (once for each version)");
  const fresh = `${OUTPUT}-${process.pid}`;
  for (const [site, base] of Object.entries(SITES)) {
    await build({
      ...COMMON,
      root: join(FOLDER, site),
      base,
      build: { ...COMMON.build, outDir: join(fresh, site) },
    });
  }
  await buildDocs(join(FOLDER, "docs"), PROJECT, join(fresh, "docs"), COMMON);
  writeFileSync(join(fresh, "built-from"), sources);
  rmSync(OUTPUT, { recursive: true, force: true });
  renameSync(fresh, OUTPUT);
}

/** Whether the pages in `web/dist` were built from the sources as they are. */
export const pagesAreBuilt = (): boolean => existsSync(STAMP) && readFileSync(STAMP, "utf8") === digestOfSources();

/** Of every source file and of the versions of what they import. */
function digestOfSources(): string {
  const digest = createHash("sha256");
  const sources = globSync("**/*", { cwd: FOLDER, withFileTypes: true, exclude: ["dist*", "node_modules"] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const docs = globSync(["CONTRIBUTING.md", "docs/**/*.md", "docs/openapi.json"], { cwd: PROJECT }).map((name) =>
    join(PROJECT, name),
  );
  for (const file of [...sources.toSorted(), ...docs.toSorted(), join(PROJECT, "package-lock.json")]) {
    digest.update(file).update("\0").update(readFileSync(file)).update("\0");
  }
  return digest.digest("hex");
}
