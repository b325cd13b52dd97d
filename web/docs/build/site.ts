import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { GUIDES } from "./guides.ts";
import { createHighlight } from "./highlight.ts";
import { Html, html } from "./html.ts";
import { type Assets, type Group, layout, type PageOfSite } from "./layout.ts";
import { type Rendered, renderMarkdown } from "./markdown.ts";
import { operationPage } from "./operation-page.ts";
import { type OpenApi, type Operation, operationsOf } from "./operations.ts";
import { searchIndex } from "./search-index.ts";

type Sources = { guides: { path: string; file: string; text: string }[]; openapi: OpenApi };
type SitePage = PageOfSite & Pick<Rendered, "sections">;

const REFERENCE = "/docs/reference";

/** Writes the pages of the docs into a folder: guides from `docs/guides`, the reference from `docs/openapi.json`. */
export async function writeSite(docs: string, output: string, assets: Omit<Assets, "searchIndex">): Promise<void> {
  const sources: Sources = {
    guides: GUIDES.map((guide) => ({ ...guide, text: readFileSync(join(docs, guide.file), "utf8") })),
    openapi: JSON.parse(readFileSync(join(docs, "openapi.json"), "utf8")) as OpenApi,
  };
  const { pages, groups } = await pagesOf(sources);
  const index = searchIndex(
    pages.flatMap(({ path, title: page, sections }) =>
      sections.map(({ id, title, text }, n) => ({ page, title, text, path: n === 0 ? path : `${path}#${id}` })),
    ),
  );
  const digest = createHash("sha256").update(index).digest("base64url").slice(0, 8);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(output, name)), { recursive: true });
    writeFileSync(join(output, name), text);
  };
  write(`assets/search-${digest}.json`, index);
  for (const page of [...pages, NOT_FOUND]) {
    const name = page.path === "/docs" ? "index" : page.path.slice("/docs/".length);
    write(`${name}.html`, layout(page, groups, { ...assets, searchIndex: `/docs/assets/search-${digest}.json` }));
  }
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

async function pagesOf({ guides, openapi }: Sources): Promise<{ pages: SitePage[]; groups: Group[] }> {
  const highlight = await createHighlight();
  const places = new Map(guides.map(({ file, path }) => [file, path]));
  const guidePages = guides.map(({ path, file, text }): SitePage => {
    const linkOf = (target: string) => linkFrom(file, target, places);
    const { title, headings, sections, html: body } = renderMarkdown(text, highlight, linkOf);
    return { path, title, headings, sections, body: new Html(body) };
  });

  const operations = operationsOf(openapi);
  const prose = (text: string) =>
    new Html(renderMarkdown(`# x\n\n${text}`, highlight, (link) => link).html.replace(/^.*\n/, ""));
  const operationPages = operations.map((operation): SitePage => {
    const { title, parameters, description } = operation;
    const text = [operation.path, operation.id, description, ...parameters.map((each) => `${each.name} ${each.text}`)];
    return {
      path: pathOf(operation),
      title,
      headings: [],
      sections: [{ id: "", title, text: text.join(" ") }],
      body: operationPage(operation, { highlight, prose, schemas: openapi.components.schemas }),
      wide: true,
    };
  });
  const overview = referenceOverview(operations);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const groups: Group[] = [
    { title: "Guides", links: guidePages },
    { title: "Reference", links: [overview] },
    ...tags.map((tag) => ({
      title: tag,
      links: operations.filter((each) => each.tag === tag).map((each) => ({ path: pathOf(each), title: each.title })),
    })),
  ];
  return { pages: [...guidePages, overview, ...operationPages], groups };
}

const pathOf = ({ id }: Operation): string => `${REFERENCE}/${id}`;

function referenceOverview(operations: readonly Operation[]): SitePage {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const title = "All operations";
  const body = html`<h1>${title}</h1>
    <p>
      Every request is a <code>GET</code> with an API key in <code>Authorization: Bearer</code>. Each page has the
      request as code, and sends it when you give it a key. Generators of clients read
      <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).
    </p>
    ${tags.map(
      (tag) =>
        html`<h2>${tag}</h2>
          <div class="table-scroll" tabindex="0" role="group" aria-label="${tag}">
            <table>
              <thead>
                <tr>
                  <th>Operation</th>
                  <th>Endpoint</th>
                </tr>
              </thead>
              <tbody>
                ${operations
                  .filter((each) => each.tag === tag)
                  .map(
                    (each) =>
                      html`<tr>
                        <td><a href="${pathOf(each)}">${each.title}</a></td>
                        <td><code>${each.path}</code></td>
                      </tr> `,
                  )}
              </tbody>
            </table>
          </div>`,
    )}`;
  return { path: REFERENCE, title, headings: [], sections: [{ id: "", title, text: "reference openapi" }], body };
}

/** The address of a link in a page. Throws when it leads to a file that the site does not have. */
function linkFrom(file: string, target: string, places: ReadonlyMap<string, string>): string {
  if (/^(?:[a-z]+:|[#/])/.test(target)) return target;
  const [name = "", anchor] = target.split("#");
  const place = places.get(posix.join(posix.dirname(file), name));
  if (place === undefined) throw new Error(`docs/${file} links to ${target}, which is not a page of the site.`);
  return anchor === undefined ? place : `${place}#${anchor}`;
}
