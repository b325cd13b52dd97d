import { DOMImplementation, type Element, XMLSerializer } from "@xmldom/xmldom";
import type { FeedPage } from "./page.ts";

const ATOM = "http://www.w3.org/2005/Atom";
/** Characters that XML can't have, not even escaped. */
// eslint-disable-next-line no-control-regex
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * A page as Atom (RFC 4287). All texts are plain: readers show markup in a name as it is. There is no link to itself: its address is a
 * secret, and documents are passed on.
 */
export function atomText({ id, title, updated, entries }: FeedPage): string {
  const document = new DOMImplementation().createDocument(ATOM, "feed", null);
  const feed = document.documentElement!;
  const add = (to: Element, name: string, text: string, attributes: Readonly<Record<string, string>> = {}) => {
    const element = document.createElementNS(ATOM, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text.toWellFormed().replace(NOT_IN_XML, "\ufffd");
    to.appendChild(element);
    return element;
  };
  add(feed, "id", id);
  add(feed, "title", title);
  add(feed, "updated", updated);
  add(add(feed, "author", ""), "name", "Tranche");
  for (const each of entries) {
    const entry = add(feed, "entry", "");
    add(entry, "id", each.id);
    add(entry, "title", each.title);
    if (each.published !== undefined) add(entry, "published", each.published);
    add(entry, "updated", each.updated);
    if (each.url !== undefined) add(entry, "link", "", { rel: "alternate", href: each.url });
    if (each.source !== undefined) add(entry, "link", "", { rel: "related", href: each.source });
    add(entry, "content", each.text, { type: "text" });
  }
  return `<?xml version="1.0" encoding="utf-8"?>\n${new XMLSerializer().serializeToString(document)}\n`;
}
