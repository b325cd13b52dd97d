import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "@swc/core";

const PROJECT = fileURLToPath(new URL("../../", import.meta.url));
const IMPORT = /(?:from|import)\s*"([^"]+)"/g;

export type SourceHash = {
  hash: string;
  /** The modules behind it, by their paths in the project. */
  behind: string[];
};

/**
 * A hash of what some modules do: of their code and that of all modules of the project they import, without types, comments and
 * spaces. Packages do not count, nor does the path of a module.
 */
export function sourceHash(entries: readonly string[]): SourceHash {
  const codes = new Map<string, string>();
  const visit = (path: string) => {
    const name = relative(PROJECT, path);
    if (codes.has(name)) return;
    const text = readFileSync(path, "utf8");
    if (path.endsWith(".json")) return void codes.set(name, text);
    const code = withoutTypes(text);
    codes.set(name, code);
    for (const [, imported] of code.matchAll(IMPORT)) {
      if (/^(\.|@tranche\/)/.test(imported!)) visit(resolved(imported!, path));
    }
  };
  for (const entry of entries) visit(join(PROJECT, entry));
  const hash = createHash("sha256");
  const parts = [...codes.values()].map((code) => code.replaceAll(IMPORT, "")).toSorted();
  for (const part of parts) hash.update(part).update("\n");
  return { hash: hash.digest("hex").slice(0, 16), behind: [...codes.keys()].toSorted() };
}

function withoutTypes(code: string): string {
  return transformSync(code, {
    jsc: {
      parser: { syntax: "typescript" },
      target: "esnext",
      minify: { compress: false, mangle: false, format: { comments: false } },
    },
    minify: true,
  }).code;
}

function resolved(imported: string, from: string): string {
  if (imported.startsWith("@tranche/")) {
    const [, library, ...rest] = imported.split("/");
    return join(PROJECT, "libs", library!, `${rest.join("/")}.ts`);
  }
  return fileURLToPath(new URL(imported, pathToFileURL(from)));
}
