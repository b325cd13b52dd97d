import { existsSync, globSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { type Content, contentOf } from "../present/answer.ts";

/** Has the bytes of a page or an asset, and whether they can be cached for ever. */
export type BuiltFile = { content: Content; isImmutable: boolean };

/** Finds the file of a path, such as `/docs/paging`; "not built" when there are no pages at all. */
type FindBuiltFile = (path: string) => BuiltFile | "not built" | undefined;

/**
 * The docs in a folder, as `npm run build` writes them. They are read at the first request, so that an API without them starts, and
 * serves them as soon as they are built.
 */
export function builtDocs(folder: string): FindBuiltFile {
  let files: ReadonlyMap<string, BuiltFile> | undefined;
  return (path) => {
    if (files === undefined && !existsSync(join(folder, "index.html"))) return "not built";
    files ??= read(folder);
    return files.get(path);
  };
}

/** Assets have a digest in their name. Pages have no extension in their path, and `index.html` is `/docs`. */
function read(folder: string): ReadonlyMap<string, BuiltFile> {
  const names = globSync("**/*.*", { cwd: folder }).map((name) => name.replaceAll("\\", "/"));
  return new Map(
    names.map((name) => {
      const extension = extname(name);
      const path = extension === ".html" ? `/docs/${name.slice(0, -extension.length)}` : `/docs/${name}`;
      const content = contentOf(extension.slice(1), readFileSync(join(folder, name)));
      return [path.replace(/\/index$/, ""), { content, isImmutable: name.startsWith("assets/") }];
    }),
  );
}
