import { DOMParser, type Element } from "@xmldom/xmldom";
import { expect, test } from "vitest";
import { atomText } from "./atom.ts";
import { jsonFeedText } from "./json-feed.ts";
import type { FeedPage } from "./page.ts";

const pageWith = (text: string): FeedPage => ({
  id: "urn:uuid:1",
  title: text,
  updated: "2026-02-01T00:00:00.000Z",
  entries: [
    {
      id: "urn:uuid:2",
      title: text,
      text,
      published: "2026-01-01T00:00:00.000Z",
      updated: "2026-02-01T00:00:00.000Z",
      url: "https://example.org/dashboard/companies/c1?a=1&b=%22%3C",
      source: "https://example.com/",
      row: { name: text },
    },
  ],
});

/** Names as a hostile source may write them. */
const HOSTILE = [
  "]]>]]></title><script>alert(1)</script>",
  "<b>&amp; &lt; &#x41; \"quoted\" 'single'",
  "<!--<![CDATA[<?xml?>",
  "<!DOCTYPE x [<!ENTITY a 'b'>]>&a;",
  "emoji 😀, Zürich, 日本, \u202e turned",
  "line\none",
];

type Parsed = { name: string; attributes: Record<string, string>; content: string | Parsed[] };

/** A document as its elements. Throws for one that is not well-formed. */
function parsed(text: string): Parsed {
  const refuse = (level: string, message: string) => {
    if (level === "warning" && message.includes("replacement character")) return;
    throw new Error(`${level}: ${message}`);
  };
  const shown = (element: Element): Parsed => {
    const children = [...element.childNodes].filter((node) => node.nodeType === 1) as Element[];
    return {
      name: element.localName!,
      attributes: Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value])),
      content: children.length > 0 ? children.map(shown) : (element.textContent ?? ""),
    };
  };
  return shown(new DOMParser({ onError: refuse }).parseFromString(text, "text/xml").documentElement!);
}
const leaf = (name: string, content: string, attributes = {}): Parsed => ({ name, content, attributes });

test.each(HOSTILE)("Atom shows the name %s as it is", (name) => {
  expect(parsed(atomText(pageWith(name)))).toEqual({
    name: "feed",
    attributes: { xmlns: "http://www.w3.org/2005/Atom" },
    content: [
      leaf("id", "urn:uuid:1"),
      leaf("title", name),
      leaf("updated", "2026-02-01T00:00:00.000Z"),
      { name: "author", attributes: {}, content: [leaf("name", "Tranche")] },
      {
        name: "entry",
        attributes: {},
        content: [
          leaf("id", "urn:uuid:2"),
          leaf("title", name),
          leaf("published", "2026-01-01T00:00:00.000Z"),
          leaf("updated", "2026-02-01T00:00:00.000Z"),
          leaf("link", "", { rel: "alternate", href: "https://example.org/dashboard/companies/c1?a=1&b=%22%3C" }),
          leaf("link", "", { rel: "related", href: "https://example.com/" }),
          leaf("content", name, { type: "text" }),
        ],
      },
    ],
  });
});

test("characters that XML can't have are replaced", () => {
  const shown = parsed(atomText(pageWith("a\u0000b\u0007c\ufffed\ud800e\u001bf\udc00"))).content[1];
  expect(shown).toEqual(leaf("title", "a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf\ufffd"));
});

test.each(HOSTILE)("JSON Feed shows the name %s as text", (name) => {
  expect(JSON.parse(jsonFeedText(pageWith(name)))).toEqual({
    version: "https://jsonfeed.org/version/1.1",
    title: name,
    authors: [{ name: "Tranche" }],
    items: [
      {
        id: "urn:uuid:2",
        title: name,
        content_text: name,
        date_published: "2026-01-01T00:00:00.000Z",
        date_modified: "2026-02-01T00:00:00.000Z",
        url: "https://example.org/dashboard/companies/c1?a=1&b=%22%3C",
        external_url: "https://example.com/",
        _tranche: { row: { name } },
      },
    ],
  });
});
