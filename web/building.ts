import { accessSync, constants, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, type InlineConfig } from "vite";
import { buildDocs } from "./docs/build/build.ts";
import { digestOfSources, FOLDER, OUTPUT, pagesAreBuilt, PROJECT, STAMP } from "./sources.ts";

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
 * takes the place of the last one when it is whole. Rejects with the bundler's text, or with what to do where it may not write.
 */
export async function buildPages(log: (line: string) => void): Promise<void> {
  if (pagesAreBuilt()) return;
  assertWritable(FOLDER);
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
  writeFileSync(join(fresh, STAMP), sources);
  rmSync(OUTPUT, { recursive: true, force: true });
  renameSync(fresh, OUTPUT);
}

/** Throws where the user may not write to the folder. */
export function assertWritable(folder: string): void {
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Error(
      `The pages are not built, and this user may not write to ${folder}. Run \`npm run build\` as the owner of the project.`,
    );
  }
}
