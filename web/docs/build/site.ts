import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import type { SearchEntry } from "../search-options.ts";
import { DECISIONS, DOORS, LANDING, type Page } from "./doors.ts";
import { createHighlight } from "./highlight.ts";
import { Html, html } from "./html.ts";
import { type Assets, type Group, layout, type PageOfSite } from "./layout.ts";
import { type Rendered, renderMarkdown, type Targets } from "./markdown.ts";
import { operationPage } from "./operation-page.ts";
import { llmsText, plainPage, plainPath } from "./plain-pages.ts";
import { type OpenApi, type Operation, operationsOf } from "./operations.ts";
import { referencePage, REFERENCE } from "./reference-page.ts";
import { requestLink } from "./request-link.ts";
import { searchIndex } from "./search-index.ts";

/** `plain`: the page as Markdown, if it is made from some. */
type SitePage = PageOfSite & Pick<Rendered, "sections"> & { plain?: string };
type Source = Page & { text: string; door: SitePage["door"] };

/**
 * Writes the pages of the docs into a folder: Markdown of the project, and the reference from `docs/openapi.json`. `project`: the folder
 * that the paths of pages are below. Throws when a page links to a file that is not there, or to a request that the API does not have.
 */
export async function writeSite(project: string, output: string, assets: Omit<Assets, "searchIndex">): Promise<void> {
  const openapi = JSON.parse(readFileSync(join(project, "docs/openapi.json"), "utf8")) as OpenApi;
  const { pages, groups } = await pagesOf(project, sourcesIn(project), openapi);
  const index = searchIndex(pages.flatMap(entriesOf));
  const digest = createHash("sha256").update(index).digest("base64url").slice(0, 8);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), text);
  };
  write(`assets/search-${digest}.json`, index);
  for (const page of [...pages, NOT_FOUND]) {
    const name = page.path === LANDING.path ? "index" : page.path.slice("/docs/".length);
    write(`${name}.html`, layout(page, groups, { ...assets, searchIndex: `/docs/assets/search-${digest}.json` }));
  }
  for (const { path, plain } of pages) if (plain !== undefined) write(plainPath(path).slice("/docs/".length), plain);
  write("llms.txt", llmsText(new Map(pages.map(({ path, title }) => [path, title]))));
}

/** For an address under `/docs` that has no page; the API serves it. */
const NOT_FOUND: PageOfSite = {
  path: "/docs/not-found",
  title: "There is no such page",
  headings: [],
  body: html`<h1>There is no such page</h1>
    <p>
      It may have moved. The search finds guides, parameters, errors and operations; or <a href="/docs">start here</a>.
    </p>`,
};

/** The Markdown of all pages, with the decisions, which are in no navigation. */
function sourcesIn(project: string): Source[] {
  const read = (page: Page, door: SitePage["door"]): Source => ({
    ...page,
    door,
    text: readFileSync(join(project, page.file), "utf8"),
  });
  const decisions = globSync("[0-9]*.md", { cwd: join(project, DECISIONS.folder) }).toSorted();
  return [
    read(LANDING, undefined),
    ...DOORS.flatMap(({ id, chapters }) => chapters.flatMap(({ pages }) => pages.map((page) => read(page, id)))),
    ...decisions.map((name) =>
      read(
        { path: `${DECISIONS.path}/${name.slice(0, -".md".length)}`, file: `${DECISIONS.folder}/${name}` },
        "change",
      ),
    ),
  ];
}

async function pagesOf(
  project: string,
  sources: readonly Source[],
  openapi: OpenApi,
): Promise<{ pages: SitePage[]; groups: Group[] }> {
  const highlight = await createHighlight();
  const operations = operationsOf(openapi);
  const places = new Map(sources.map(({ file, path }) => [file, path]));
  const written = sources.map(({ path, file, text, door, wide = false }): SitePage => {
    const targets: Targets = {
      link: (target) => linkFrom(project, file, target, places),
      request: (code) => requestLink(code, operations),
    };
    const { title, headings, sections, html: body } = renderMarkdown(text, highlight, targets);
    const isLanding = path === LANDING.path;
    return {
      path,
      title,
      headings,
      sections,
      door,
      wide,
      isLanding,
      body: isLanding ? doorsOf(body) : new Html(body),
      plain: plainPage(text, targets.link),
    };
  });

  const prose = (text: string) => new Html(renderMarkdown(`# x\n\n${text}`, highlight).html.replace(/^.*\n/, ""));
  const operationPages = operations.map((operation): SitePage => {
    const { title, parameters, description } = operation;
    const text = [operation.path, operation.id, description, ...parameters.map((each) => `${each.name} ${each.text}`)];
    return {
      path: pathOf(operation),
      title,
      headings: [],
      sections: [{ id: "", title, text: text.join(" ") }],
      body: operationPage(operation, { highlight, prose, schemas: openapi.components.schemas }),
      door: "use",
      wide: true,
    };
  });
  const overview: SitePage = { ...referencePage(operations, pathOf), door: "use" };
  const decisions = decisionsPage(written.filter(({ path }) => path.startsWith(`${DECISIONS.path}/`)));
  return {
    pages: [...written, decisions, overview, ...operationPages],
    groups: groupsOf(new Map(written.map((page) => [page.path, page.title])), decisions, overview, operations),
  };
}

const pathOf = ({ id }: Operation): string => `${REFERENCE}/${id}`;

/** The navigation: the chapters of each door, the reference below the guides, and the decisions below the code. */
function groupsOf(
  titles: ReadonlyMap<string, string>,
  decisions: SitePage,
  overview: SitePage,
  operations: readonly Operation[],
): Group[] {
  const ofDoors = DOORS.flatMap(({ id: door, chapters }) =>
    chapters.map(({ title, pages }): Group => {
      const links = pages.map(({ path, label }) => ({ path, title: label ?? titles.get(path)! }));
      return { door, title, links: door === "change" ? [...links, decisions] : links };
    }),
  );
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const reference: Group[] = [
    { door: "use", title: "Reference", links: [overview] },
    ...tags.map((tag) => ({
      door: "use" as const,
      title: tag,
      links: operations.filter((each) => each.tag === tag).map((each) => ({ path: pathOf(each), title: each.title })),
    })),
  ];
  const firstOfRun = ofDoors.findIndex(({ door }) => door === "run");
  return [...ofDoors.slice(0, firstOfRun), ...reference, ...ofDoors.slice(firstOfRun)];
}

function decisionsPage(decisions: readonly SitePage[]): SitePage {
  const title = "Decisions";
  const body = html`<h1>${title}</h1>
    <p>Why things are as they are: what was chosen, what follows from it, and what was not chosen.</p>
    <ul>
      ${decisions.map(({ path, title: decision }) => html`<li><a href="${path}">${decision}</a></li> `)}
    </ul>`;
  return {
    path: DECISIONS.path,
    title,
    headings: [],
    sections: [{ id: "", title, text: "reasons" }],
    body,
    door: "change",
  };
}

/** The landing page: what is below each heading of the second level is one door. */
function doorsOf(body: string): Html {
  const [intro = "", ...doors] = body.split(/(?=<h2)/);
  return new Html(`${intro}<div class="doors">${doors.map((door) => `<section>${door}</section>`).join("")}</div>`);
}

/** Parts of a page for the search. Decisions come after everything else. */
function entriesOf({ path, title: page, sections, door }: SitePage): Omit<SearchEntry, "id">[] {
  const place = path.startsWith(`${DECISIONS.path}/`) ? "decision" : (door ?? "use");
  return sections.map(({ id, title, text }, n) => ({
    page,
    title,
    text,
    path: n === 0 ? path : `${path}#${id}`,
    place,
  }));
}

/**
 * The address of a link in a page; undefined for one to a file of the project that is no page of the site. Throws when the file is
 * not there.
 */
function linkFrom(
  project: string,
  file: string,
  target: string,
  places: ReadonlyMap<string, string>,
): string | undefined {
  if (/^(?:[a-z]+:|[#/])/.test(target)) return target;
  const [name = "", anchor] = target.split("#");
  const linked = posix.join(posix.dirname(file), name);
  const place = places.get(linked);
  if (place === undefined && !existsSync(join(project, linked)))
    throw new Error(`${file} links to ${target}, which does not exist.`);
  return place === undefined || anchor === undefined ? place : `${place}#${anchor}`;
}
