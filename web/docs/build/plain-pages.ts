import { DOORS, LANDING } from "./doors.ts";
import type { Link } from "./layout.ts";

const FENCED = /(^```[^]*?^```$)/m;
const LINK = /\[([^\][]*)\]\(([^)\s]+)\)/g;

/** The address of a page as Markdown, for programs that read it. */
export const plainPath = (path: string): string => `${path === LANDING.path ? `${path}/index` : path}.md`;

/** The Markdown of a page with its links turned into addresses of the site's Markdown; those that lead nowhere there become text. */
export function plainPage(text: string, link: (target: string) => string | undefined): string {
  const linked = (prose: string) =>
    prose.replaceAll(LINK, (_, shown: string, target: string) => {
      const href = link(target);
      return href === undefined ? shown : `[${shown}](${plainAddress(href)})`;
    });
  // Every second part is a block of code.
  return text
    .split(FENCED)
    .map((part, n) => (n % 2 === 0 ? linked(part) : part))
    .join("");
}

function plainAddress(href: string): string {
  if (!href.startsWith("/docs") || href.startsWith("/docs/reference")) return href;
  const [path = "", part] = href.split("#");
  return part === undefined ? plainPath(path) : `${plainPath(path)}#${part}`;
}

/** The list of all pages for language models, as https://llmstxt.org describes it. */
export function llmsText(titles: ReadonlyMap<string, string>): string {
  const line = ({ path, title }: Link) => `- [${title}](${plainPath(path)})`;
  const doors = DOORS.map(({ title, chapters }) => {
    const links = chapters.flatMap(({ pages }) => pages.map(({ path }) => line({ path, title: titles.get(path)! })));
    return `## ${title}\n\n${links.join("\n")}\n`;
  });
  return `# Tranche

> Funding rounds of companies, and signals such as hiring, layoffs or a new technology, over an HTTP API with exact counts.

Every request is a GET with an API key in \`Authorization: Bearer\`. [The OpenAPI document](/openapi.json) has all endpoints and parameters. In examples,
replace http://127.0.0.1:3000 by the address of this service.

${doors.join("\n")}`;
}
