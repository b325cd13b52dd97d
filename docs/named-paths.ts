/** Paths that a page names in backticks or links to; `<name>` matches any name, and globs are allowed. */

const FOLDERS = ["apps", "data", "docs", "infra", "libs", "tests", "tools", "web"];
const FENCE = /^```[^]*?^```/gm;
const CODE = /`([^`\n]+)`/g;
const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;
const IN_FOLDER = new RegExp(`^(${FOLDERS.join("|")})/`);
const SOURCE_FILE = /^[\w*<>{},./-]+\.(ts|lua|py)$/;

/** Globs for the paths in the inline code of a page. A bare file name, such as `main.ts`, may be in any folder. */
export function pathsInCode(page: string): string[] {
  const words = [...page.replace(FENCE, "").matchAll(CODE)].flatMap(([, code]) => code!.split(/\s+/));
  return words.flatMap((word) => {
    const path = word.replace(/\/$/, "").replaceAll(/<\w+>/g, "*");
    if (IN_FOLDER.test(path)) return [path];
    return SOURCE_FILE.test(path) && !path.startsWith("/") ? [`**/${path}`] : [];
  });
}

/** The targets of a page's links to other files of the project, as written: relative to the page. `/docs` and the like are pages of the service. */
export function linkedFiles(page: string): string[] {
  const targets = [...page.replace(FENCE, "").matchAll(LINK)].map(([, target]) => target!);
  return targets.filter((target) => !/^(?:\w+:|\/)/.test(target));
}
