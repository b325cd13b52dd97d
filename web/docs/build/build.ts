import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, parse } from "node:path";
import { build, type InlineConfig } from "vite";
import { writeSite } from "./site.ts";

type Manifest = Record<string, { file: string; css?: string[] }>;

/**
 * Builds the docs: the scripts of `folder` by Vite, and around them the pages made from Markdown of `project`. Pages and scripts are files of
 * `output`, every script and style with a digest in its name.
 */
export async function buildDocs(folder: string, project: string, output: string, common: InlineConfig): Promise<void> {
  const options = { ...common, root: folder, base: "/docs/" };
  await build({
    ...options,
    build: {
      ...common.build,
      outDir: output,
      manifest: "manifest.json",
      rollupOptions: { input: join(folder, "main.tsx") },
    },
  });
  const manifest = JSON.parse(readFileSync(join(output, "manifest.json"), "utf8")) as Manifest;
  rmSync(join(output, "manifest.json"));
  const { file, css = [] } = manifest["main.tsx"]!;
  await writeSite(project, output, {
    themeScript: `/docs/${await buildThemeScript(folder, output, options)}`,
    script: `/docs/${file}`,
    styles: css.map((name) => `/docs/${name}`),
    icon: `/docs/${copyWithDigest(join(folder, "icon.svg"), output)}`,
  });
}

/** A script that runs before the page is drawn: no module, and nothing imported. Returns its name in the output. */
async function buildThemeScript(folder: string, output: string, options: InlineConfig): Promise<string> {
  await build({
    ...options,
    build: {
      ...options.build,
      outDir: output,
      emptyOutDir: false,
      lib: {
        entry: join(folder, "theme-first.ts"),
        formats: ["iife"],
        name: "theme",
        fileName: () => "theme-first.js",
      },
    },
  });
  const name = copyWithDigest(join(output, "theme-first.js"), output);
  rmSync(join(output, "theme-first.js"));
  return name;
}

function copyWithDigest(file: string, output: string): string {
  const digest = createHash("sha256").update(readFileSync(file)).digest("base64url").slice(0, 8);
  const { name: stem, ext } = parse(file);
  const name = `assets/${stem}-${digest}${ext}`;
  mkdirSync(join(output, "assets"), { recursive: true });
  copyFileSync(file, join(output, name));
  return name;
}
