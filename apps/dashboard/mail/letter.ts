import type { Mail } from "./mailer.ts";

/** A sentence or more; a link, under a title where there is no HTML; or a list, each with a link on its first line. */
type Paragraph = string | { title: string; link: string; url: string } | { items: readonly ListItem[] };
type ListItem = { title: string; url: string; lines: readonly string[] };

/** A mail of paragraphs, as text and as HTML. Whatever is in it stays text. */
export function letter(to: string, subject: string, paragraphs: readonly Paragraph[]): Mail {
  const text = paragraphs.map(textOf).join("\n\n");
  const html = paragraphs.map(htmlOf).join("\n");
  return { to, subject, text: `${text}\n`, html: `<!doctype html>\n<html lang="en"><body>\n${html}\n</body></html>\n` };
}

function textOf(paragraph: Paragraph): string {
  if (typeof paragraph === "string") return paragraph;
  if (!("items" in paragraph)) return `${paragraph.title}:\n${paragraph.url}`;
  return paragraph.items.map(({ title, url, lines }) => [`* ${title}`, ...lines, url].join("\n  ")).join("\n\n");
}

function htmlOf(paragraph: Paragraph): string {
  if (typeof paragraph === "string") return `<p>${escaped(paragraph)}</p>`;
  if (!("items" in paragraph)) {
    const { link, url } = paragraph;
    return `<p><a href="${escaped(url)}">${escaped(link)}</a><br><small>${escaped(url)}</small></p>`;
  }
  const items = paragraph.items.map(
    ({ title, url, lines }) =>
      `<li><a href="${escaped(url)}"><b>${escaped(title)}</b></a>${lines.map((line) => `<br>${escaped(line)}`).join("")}</li>`,
  );
  return `<ul>\n${items.join("\n")}\n</ul>`;
}

/** Names come from people: they must not begin a line of their own. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{C}\p{Z}]+/gu, " ").trim();

/** The beginning of a text, of at most so many characters, with a sign that it goes on. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;

/** A word that a mail program would turn into a link: a URL, a host with a name, an e-mail address. */
const ADDRESS = /[:/\\]{2}|@|[.。．｡]\p{L}{2,}/u;

/** The text on one line, without addresses: what one member types must not lead others anywhere. */
export const withoutAddresses = (text: string): string =>
  oneLine(text)
    .split(" ")
    .map((word) => (ADDRESS.test(word) ? "…" : word))
    .join(" ");

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character]!);
