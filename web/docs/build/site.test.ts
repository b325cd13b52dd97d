import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import MiniSearch from "minisearch";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEARCH_OPTIONS, type SearchEntry } from "../search-options.ts";
import { DOORS } from "./doors.ts";
import { type OpenApi, operationsOf } from "./operations.ts";
import { requestLink } from "./request-link.ts";
import { writeSite } from "./site.ts";

const project = join(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "tranche-docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A folder with what the Dockerfile copies before it builds the pages, as far as .dockerignore lets it. */
function copiedToImage(): string {
  const read = (name: string) => readFileSync(join(project, name), "utf8");
  const stage = read("Dockerfile").split("AS pages\n")[1]!.split("\nFROM")[0]!;
  const sent = new Set(read(".dockerignore").split("\n"));
  const copied = [...stage.matchAll(/^COPY (.+) \S+$/gm)].flatMap(([, names]) => names!.split(" "));
  const copy = mkdtempSync(join(tmpdir(), "tranche-copied-"));
  for (const name of copied.filter((each) => sent.has(`!${each}`)))
    cpSync(join(project, name), join(copy, name), {
      recursive: true,
      filter: (path) => !path.includes("node_modules"),
    });
  return copy;
}

describe("the site as it is built", () => {
  const pages = new Map<string, string>();
  beforeAll(async () => {
    const copied = copiedToImage();
    await writeSite(copied, folder, { themeScript: "/t.js", script: "/s.js", styles: [], icon: "/i.svg" });
    rmSync(copied, { recursive: true });
    for (const name of globSync("**/*.html", { cwd: folder })) {
      const path = `/docs/${name.slice(0, -".html".length)}`.replace(/\/index$/, "");
      pages.set(path, readFileSync(join(folder, name), "utf8"));
    }
  }, 60_000);

  test("every link within the docs leads to a page, and to a part that it has", () => {
    const broken: string[] = [];
    for (const [path, page] of pages) {
      for (const [, href] of page.matchAll(/<a[^>]* href="((?:\/docs|#)[^"]*)"/g)) {
        const [target = "", part] = href!.replace(/\?[^#]*/, "").split("#");
        const linked = pages.get(target === "" ? path : target);
        const isThere = linked !== undefined && (part === undefined || linked.includes(` id="${part}"`));
        if (!isThere) broken.push(`${path} → ${href}`);
      }
    }
    expect(broken).toEqual([]);
  });

  test("every column of a table has a name", () => {
    const nameless = [...pages].filter(([, page]) => /<th[^>]*>\s*<\/th>/.test(page)).map(([path]) => path);
    expect(nameless).toEqual([]);
  });

  test("every page is there as Markdown, with links to Markdown, and llms.txt lists those of the doors", () => {
    const markdown = readFileSync(join(folder, "run/own-data.md"), "utf8");
    expect(markdown).toContain("[changes](/docs/changes.md)");
    expect(markdown).toContain("docs/examples/deals.csv is an export");
    const listed = [...readFileSync(join(folder, "llms.txt"), "utf8").matchAll(/\]\(\/docs\/(.*)\)/g)];
    expect(listed.length).toBeGreaterThan(30);
    for (const [, name] of listed) expect(existsSync(join(folder, name!)), name).toBe(true);
  });

  test("each page of a door has the navigation of this door, and says where it is", () => {
    for (const { title, chapters } of DOORS) {
      for (const { path } of chapters.flatMap((chapter) => chapter.pages)) {
        const page = pages.get(path)!;
        expect(page, path).toMatch(new RegExp(`aria-current="true"\\s*>${title}</a`));
        expect(page, path).toMatch(/aria-current="page"/);
      }
    }
  });

  test.each([
    ["docker", "run"],
    ["backup", "run"],
    ["TRANCHE_SMTP_URL", "run"],
    ["dead letters", "run"],
    ["self host", "run"],
    ["csv mapping", "run"],
    ["python client", "use"],
    ["sdk", "use"],
    ["quota", "use"],
    ["slug", "use"],
  ])("the search finds %s, first of all where people %s it", (text, place) => {
    const [name = ""] = globSync("assets/search-*.json", { cwd: folder });
    const index = MiniSearch.loadJSON<SearchEntry>(readFileSync(join(folder, name), "utf8"), SEARCH_OPTIONS);
    expect(index.search(text)[0]?.["place"]).toBe(place);
  });
});

describe("a request in a guide", () => {
  const document = JSON.parse(readFileSync(join(project, "docs/openapi.json"), "utf8")) as OpenApi;
  const operations = operationsOf(document);
  test.each([
    ["/funding?country=DE&city=!Berlin", "/docs/reference/listFundingRounds?country=DE&city=%21Berlin"],
    ["/companies/fenneldale.example", "/docs/reference/getCompany?id=fenneldale.example"],
    ["/signals", "/docs/reference/listSignals"],
    ["/health/ready", undefined],
    ["GET", undefined],
    ["/var/lib", undefined],
  ])("%s leads to %s", (code, href) => {
    expect(requestLink(code, operations)).toBe(href);
  });
  test("with a parameter that the API does not have breaks the build", () => {
    expect(() => requestLink("/funding?cuntry=DE", operations)).toThrow("has no parameter cuntry");
  });
});
