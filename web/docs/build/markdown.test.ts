import { expect, test } from "vitest";
import { createHighlight } from "./highlight.ts";
import { renderMarkdown } from "./markdown.ts";

const highlight = await createHighlight();
const render = (text: string) =>
  renderMarkdown(text, highlight, {
    link: (target) => (target.startsWith("infra/") ? undefined : target.replace("paging.md", "/docs/paging")),
    request: (code) => (code === "/funding?x=<1>" ? "/docs/reference/list?x=%3C1%3E" : undefined),
  });

test("the first heading is the title, and each further one has an anchor like GitHub's", () => {
  const { title, headings, html } = render(
    "# Errors\n\n## What to do in a program\n\n### quota_exceeded\n\n## `details` & more\n\n## Twice\n\n## Twice\n",
  );
  expect(title).toBe("Errors");
  expect(headings.map(({ id }) => id).slice(1)).toEqual([
    "what-to-do-in-a-program",
    "quota_exceeded",
    "details--more",
    "twice",
    "twice-1",
  ]);
  expect(html).toContain('<h3 id="quota_exceeded">quota_exceeded<a href="#quota_exceeded" class="anchor"');
});

test("markup in a guide and in its code is shown as text", () => {
  const { html } = render('# <b>x</b>\n\n<script>alert(1)</script>\n\n```json\n{"a": "<b>"}\n```\n');
  expect(html).not.toMatch(/<script|<b>/);
  expect(html).toContain("&lt;script&gt;");
});

test("code is coloured by classes, because the pages forbid styles in HTML", () => {
  const { html } = render('# x\n\n```json\n{ "limit": 10 }\n```\n');
  expect(html).toContain('<span class="t-constant">10</span>');
  expect(html).not.toContain("style=");
});

test("the same code in several languages is one group of tabs; other code is separate", () => {
  const fence = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n\n`;
  const { html } = render(
    `# x\n\n${fence("sh")}${fence("ts")}${fence("python")}${fence("json")}Text.\n\n${fence("sh")}`,
  );
  expect(html.split('<div class="tabs">')).toHaveLength(2);
  const [group] = html.split("</div>\n</div>") as [string];
  expect([...group.matchAll(/data-language="(\w+)"/g)].map(([, language]) => language)).toEqual(["sh", "ts", "python"]);
});

test("a link to a file that is no page is its text, and a request in a table is a link", () => {
  const { html } = render(
    "# x\n\n[roles](infra/roles/README.md), `/funding?x=<1>`\n\n| a |\n| --- |\n| `/funding?x=<1>` |\n| [`/funding?x=<1>`](paging.md) |\n",
  );
  expect(html).toContain('<span class="file">roles</span>, <code>/<wbr>funding?x=&lt;1&gt;</code>');
  expect(html).toContain(
    '<td><a class="request" href="/docs/reference/list?x=%3C1%3E"><code>/funding?x=&lt;1&gt;</code></a></td>',
  );
  expect(html).toContain('<td><a href="/docs/paging"><code>/<wbr>funding?x=&lt;1&gt;</code></a></td>');
});

test("a name in code may break between its words", () => {
  expect(render("# x\n\n`A_B=<x>,/y`").html).toContain("<code>A_<wbr>B=&lt;x&gt;,<wbr>/<wbr>y</code>");
});

test("links to other guides lead to their pages, and sections hold the text for the search", () => {
  const { html, sections } = render(
    "# x\n\n[Pages](paging.md#by-cursor) of a list.\n\n<!-- made -->\n\n## Costs\n\nOne `request`.\n",
  );
  expect(html).toContain('href="/docs/paging#by-cursor"');
  expect(sections).toEqual([
    { id: "x", title: "x", text: " Pages of a list." },
    { id: "costs", title: "Costs", text: " One request." },
  ]);
});
