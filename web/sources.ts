import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const FOLDER = fileURLToPath(new URL(".", import.meta.url));
/** Its Markdown, and the OpenAPI document of the reference, become the docs. */
export const PROJECT = join(FOLDER, "..");
export const OUTPUT = join(FOLDER, "dist");
/** The file in a build that says what it was built from. */
export const STAMP = "built-from";

/** Whether the pages in `web/dist` were built from the sources as they are. */
export function pagesAreBuilt(): boolean {
  const stamp = join(OUTPUT, STAMP);
  return existsSync(stamp) && readFileSync(stamp, "utf8") === digestOfSources();
}

/** Of every source file and of the versions of what they import. */
export function digestOfSources(): string {
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
