import { readFileSync } from "node:fs";

const textOf = (file: string): string => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");

const { version } = JSON.parse(textOf("package.json")) as { version: string };

/** The version and revision of this Tranche. `revision`: the commit that an image was built from, which the Dockerfile writes; undefined elsewhere. */
export const BUILD = { version, revision: revisionOfImage() };

/** Both in one word, as semantic versioning writes them: `0.2.0+1a2b3c4d5e6f`. */
export const VERSION = BUILD.revision === undefined ? version : `${version}+${BUILD.revision.slice(0, 12)}`;

function revisionOfImage(): string | undefined {
  try {
    return textOf("revision").trim() || undefined;
  } catch {
    return undefined;
  }
}
