/**
 * A page made from Markdown. `file` is below the project's folder. `label`: its name in the navigation, by default its heading. `wide`:
 * its tables need the room of the table of contents.
 */
export type Page = { path: string; file: string; label?: string; wide?: true };

/** One of the three ways into the docs, with its pages in the order in which people read them. */
export type Door = {
  id: "use" | "run" | "change";
  title: string;
  chapters: readonly { title: string; pages: readonly Page[] }[];
};

/** The first page of the site, which leads to the doors. */
export const LANDING: Page = { path: "/docs", file: "docs/README.md" };

const guide = (name: string, path = name): Page => ({ path: `/docs/${path}`, file: `docs/guides/${name}.md` });

export const DOORS: readonly Door[] = [
  {
    id: "use",
    title: "Use it",
    chapters: [
      { title: "Begin", pages: [guide("start"), guide("tasks")] },
      {
        title: "Ask",
        pages: [
          guide("filters"),
          guide("paging"),
          guide("search"),
          guide("stats", "statistics"),
          guide("signals"),
          guide("assistants"),
          { path: "/docs/signal-catalogue", file: "docs/signals.md" },
        ],
      },
      {
        title: "Keep a copy, be told",
        pages: [
          guide("exports"),
          guide("changes"),
          guide("mirror"),
          guide("webhooks"),
          guide("feeds"),
          guide("spreadsheets"),
        ],
      },
      { title: "Rules", pages: [guide("limits"), guide("errors"), guide("versioning"), guide("glossary")] },
    ],
  },
  {
    id: "run",
    title: "Run it",
    chapters: [
      {
        title: "Step by step",
        pages: [
          { path: "/docs/run", file: "docs/run/README.md", label: "The path" },
          { path: "/docs/run/try", file: "docs/run/try.md" },
          { path: "/docs/run/own-data", file: "docs/run/own-data.md" },
          { path: "/docs/run/first-file", file: "docs/run/first-file.md" },
          { path: "/docs/run/pipelines", file: "docs/run/pipelines.md" },
          { path: "/docs/run/first-customer", file: "docs/run/first-customer.md" },
          { path: "/docs/run/deployment", file: "docs/deployment.md", label: "In production" },
          { path: "/docs/run/operations", file: "docs/operations.md", label: "Back up, upgrade, scale" },
          { path: "/docs/run/sizing", file: "docs/sizing.md" },
        ],
      },
      {
        title: "Look up",
        pages: [
          { path: "/docs/run/ingest", file: "docs/ingest.md", label: "Ingesting" },
          { path: "/docs/run/records", file: "docs/records.md" },
          { path: "/docs/run/mappings", file: "docs/mappings.md", label: "Mappings", wide: true },
          { path: "/docs/run/operators", file: "docs/operators.md", label: "Operators' pages, logs" },
          { path: "/docs/run/dashboard", file: "docs/dashboard.md", label: "The dashboard" },
          { path: "/docs/run/settings", file: "docs/settings.md", label: "Settings", wide: true },
          { path: "/docs/run/runbook", file: "docs/runbook.md", label: "Runbook" },
          { path: "/docs/run/drills", file: "docs/drills.md", label: "Failure drills", wide: true },
        ],
      },
    ],
  },
  {
    id: "change",
    title: "Change it",
    chapters: [
      {
        title: "The code",
        pages: [
          { path: "/docs/change", file: "CONTRIBUTING.md" },
          { path: "/docs/change/architecture", file: "docs/architecture.md", wide: true },
          { path: "/docs/change/extending", file: "docs/extending.md" },
          { path: "/docs/change/testing", file: "docs/testing.md", wide: true },
          { path: "/docs/change/caching", file: "docs/caching.md" },
          { path: "/docs/change/words", file: "docs/glossary.md", label: "Words of the code" },
        ],
      },
    ],
  },
];

/** Reasons, listed on one page and not in the navigation. */
export const DECISIONS = { path: "/docs/change/decisions", folder: "docs/decisions" };

/** Every page of the doors, with the landing page first. */
export const PAGES: readonly Page[] = [
  LANDING,
  ...DOORS.flatMap(({ chapters }) => chapters.flatMap(({ pages }) => pages)),
];
