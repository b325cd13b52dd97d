import { DOORS, type Door } from "./doors.ts";
import { Html, html } from "./html.ts";
import type { Heading } from "./markdown.ts";
import { REFERENCE } from "./reference-page.ts";

/** Addresses of the built scripts and styles. */
export type Assets = {
  themeScript: string;
  script: string;
  styles: readonly string[];
  icon: string;
  searchIndex: string;
};

export type Link = { path: string; title: string };
/** A part of the navigation of one door. */
export type Group = { door: Door["id"]; title: string; links: readonly Link[] };

export type PageOfSite = Link & {
  body: Html;
  headings: readonly Heading[];
  /** The way by which people get here; undefined for pages beside the doors. */
  door?: Door["id"] | undefined;
  /** Wider content and no table of contents. */
  wide?: boolean;
  /** The first page: no navigation, for its content is that. */
  isLanding?: boolean;
};

/** A whole page: header, navigation, content, table of contents, and the pages before and after it. */
export function layout(page: PageOfSite, groups: readonly Group[], assets: Assets): string {
  const shown = groups.filter(({ door }) => door === (page.door ?? "use"));
  const order = page.isLanding ? [] : shown.flatMap(({ links }) => links);
  const here = order.findIndex(({ path }) => path === page.path);
  const contents = page.headings.filter(({ level }) => level === 2 || level === 3);
  return html`<!doctype html>
    <html lang="en" data-search="${assets.searchIndex}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${page.title} · Tranche docs</title>
        <script src="${assets.themeScript}"></script>
        ${assets.styles.map((href) => html`<link rel="stylesheet" href="${href}" /> `)}
        <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
        <script type="module" src="${assets.script}"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header class="bar">
          <a class="brand" href="/docs">Tranche <span class="muted">docs</span></a>
          <nav class="nav-links" aria-label="Site">
            ${DOORS.map(
              ({ id, title, chapters }) =>
                html`<a href="${chapters[0]!.pages[0]!.path}" ${id === page.door && new Html(' aria-current="true"')}
                  >${title}</a
                > `,
            )}
            <a href="/dashboard">Dashboard</a>
          </nav>
          <div class="row tools"><span id="search"></span><span id="key"></span><span id="theme"></span></div>
        </header>
        <div class="columns${page.wide === true && " wide"}${page.isLanding === true && " landing"}">
          ${page.isLanding !== true && sidebar(shown, page.path)}
          <main id="content">
            <article class="prose">${page.body}</article>
            ${here >= 0 && nextTo(order[here - 1], order[here + 1])}
          </main>
          ${page.wide !== true && page.isLanding !== true && tableOfContents(contents)}
        </div>
      </body>
    </html> `.text;
}

/** The reference is folded away from readers of guides, and the guides from readers of the reference. */
function sidebar(groups: readonly Group[], path: string): Html {
  const current = groups.find(({ links }) => links.some((link) => link.path === path));
  const isReference = (group: Group | undefined) =>
    group !== undefined && group.links.every((link) => link.path.startsWith(REFERENCE));
  return html`<div class="side">
    <button type="button" class="button menu" aria-expanded="false" aria-controls="pages">All pages</button>
    <nav id="pages" aria-label="Pages">
      ${groups.map((group) => navigation(group, path, isReference(group) === isReference(current)))}
    </nav>
  </div>`;
}

function navigation({ title, links }: Group, path: string, isOpen: boolean): Html {
  return html`<details ${isOpen && new Html(" open")}>
    <summary class="group">${title}</summary>
    <ul>
      ${links.map(
        (link) =>
          html`<li>
            <a href="${link.path}" ${link.path === path && new Html(' aria-current="page"')}>${link.title}</a>
          </li> `,
      )}
    </ul>
  </details> `;
}

function tableOfContents(headings: readonly Heading[]): Html {
  if (headings.length < 2) return html``;
  return html`<nav class="contents" aria-label="On this page">
    <p class="group">On this page</p>
    <ul>
      ${headings.map(({ level, id, text }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li> `)}
    </ul>
  </nav>`;
}

function nextTo(before: Link | undefined, after: Link | undefined): Html {
  return html`<nav class="next" aria-label="Previous and next page">
    ${before && html`<a href="${before.path}" rel="prev"><span class="muted">Previous</span> ${before.title}</a>`}
    ${after && html`<a class="after" href="${after.path}" rel="next"><span class="muted">Next</span> ${after.title}</a>`}
  </nav>`;
}
