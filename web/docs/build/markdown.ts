import MarkdownIt, { type MarkdownIt as Markdown, type Token } from "markdown-it";
import type { Highlight } from "./highlight.ts";
import { escapeHtml } from "./html.ts";

export type Heading = { level: number; id: string; text: string };
/** A part of a page for the search: the text below one heading. */
type Section = { id: string; title: string; text: string };
export type Rendered = { title: string; html: string; headings: Heading[]; sections: Section[] };

/** Where things on a page lead. */
export type Targets = {
  /** The address of a link; undefined when it leads nowhere on the site, so that only its text is shown. */
  link: (target: string) => string | undefined;
  /** Where a request that is written as code in a table is tried; undefined for other code. */
  request: (code: string) => string | undefined;
};

const NO_TARGETS: Targets = { link: (target) => target, request: () => undefined };

/** Renders a page. Headings get an anchor, tables and code a box that scrolls, code a button that copies it. */
export function renderMarkdown(text: string, highlight: Highlight, targets: Targets = NO_TARGETS): Rendered {
  const headings: Heading[] = [];
  const sections: Section[] = [];
  const markdown = new MarkdownIt({ html: false, linkify: false });
  const { rules } = markdown.renderer;
  rules.fence = (tokens, index) => {
    const { content, info } = tokens[index]!;
    const [language = ""] = info.split(" ");
    const box = codeBox(highlight(content.trimEnd(), language).text, language);
    const isChoice = (token: Token | undefined) => token?.type === "fence" && TABS.has(token.info.split(" ")[0]!);
    if (!isChoice(tokens[index])) return box;
    const [before, after] = [isChoice(tokens[index - 1]), isChoice(tokens[index + 1])];
    return (!before && after ? '<div class="tabs">' : "") + box + (before && !after ? "</div>" : "");
  };
  rules.code_block = (tokens, index) => codeBox(escapeHtml(tokens[index]!.content.trimEnd()), "");
  rules.code_inline = (found, index) => {
    const { content, meta } = found[index]!;
    const code = escapeHtml(content);
    const { href } = (meta ?? {}) as { href?: string };
    if (href !== undefined) return `<a class="request" href="${escapeHtml(href)}"><code>${code}</code></a>`;
    // In narrow tables, names of settings and paths break between their words.
    return `<code>${code.replaceAll(/[_/,]/g, "$&<wbr>")}</code>`;
  };
  rules.table_open = () => '<div class="table-scroll" tabindex="0" role="group" aria-label="Table"><table>\n';
  rules.table_close = () => "</table></div>\n";

  // Comments mark the generated parts of pages; they are not content.
  const tokens = markdown.parse(text.replace(/^<!--.*-->$/gm, ""), {});
  const ids = new Set<string>();
  let tables = 0;
  for (const [index, token] of tokens.entries()) {
    const inline = tokens[index + 1];
    if (token.type === "heading_open" && inline) {
      const title = textOf(inline.children ?? []);
      const heading = { level: Number(token.tag.slice(1)), id: freshId(title, ids), text: title };
      token.attrSet("id", heading.id);
      headings.push(heading);
      sections.push({ id: heading.id, title, text: "" });
      if (heading.level > 1) addAnchor(inline, heading, markdown);
    } else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      const section = sections.at(-1);
      if (section) section.text += ` ${textOf(token.children ?? [])}`;
    }
    placeLinks(token, targets);
    if (token.type === "table_open") tables++;
    else if (token.type === "table_close") tables--;
    else if (tables > 0) noteRequests(token, targets);
  }
  const title = headings[0]?.text;
  if (title === undefined) throw new Error("The page has no heading.");
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings, sections };
}

function placeLinks({ children }: Token, targets: Targets): void {
  let isPlaced = true;
  for (const child of children ?? []) {
    if (child.type === "link_open") {
      const href = targets.link(String(child.attrGet("href") ?? ""));
      isPlaced = href !== undefined;
      if (href !== undefined) child.attrSet("href", href);
      else Object.assign(child, { tag: "span", attrs: [["class", "file"]] });
    } else if (child.type === "link_close" && !isPlaced) child.tag = "span";
  }
}

/** Notes for the rendering where the requests in a cell of a table lead. One within a link leads where that leads. */
function noteRequests({ children }: Token, targets: Targets): void {
  let isInLink = false;
  for (const child of children ?? []) {
    if (child.type === "link_open" || child.type === "link_close") isInLink = child.type === "link_open";
    const href = child.type === "code_inline" && !isInLink ? targets.request(child.content) : undefined;
    if (href !== undefined) child.meta = { href };
  }
}

/** Boxes of these languages that follow each other are the same in several languages: one is shown at a time. */
const TABS = new Set(["sh", "ts", "python"]);

/** A box of highlighted code. The script of the page adds the button that copies it. */
export function codeBox(highlighted: string, label: string): string {
  const name = label === "" ? "Code" : `Code: ${escapeHtml(label)}`;
  return `<div class="code" data-language="${escapeHtml(label)}"><pre tabindex="0" role="group" aria-label="${name}"><code>${highlighted}</code></pre></div>\n`;
}

const textOf = (tokens: readonly Token[]): string =>
  tokens.map((token) => (token.type === "softbreak" ? " " : token.content)).join("");

/** A link to the heading itself, after its text. */
function addAnchor(inline: Token, { id, text }: Heading, markdown: Markdown): void {
  const anchor = markdown.parseInline(`[#](#${id})`, {})[0]!.children!;
  anchor[0]!.attrSet("class", "anchor");
  anchor[0]!.attrSet("aria-label", `Link to ${text}`);
  inline.children = [...(inline.children ?? []), ...anchor];
}

/** An anchor as GitHub makes it: words joined by hyphens. */
function freshId(title: string, taken: Set<string>): string {
  const plain = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .trim()
    .replaceAll(" ", "-");
  let id = plain;
  for (let n = 1; taken.has(id); n++) id = `${plain}-${n}`;
  taken.add(id);
  return id;
}
