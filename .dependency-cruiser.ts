import type { IConfiguration, IRegularForbiddenRuleType } from "dependency-cruiser";

/**
 * The architecture as rules: which file may import which. `npm run lint` checks them, `infra/architecture.test.ts` shows that each
 * one refuses what it should, and docs/architecture.md shows the order of the folders.
 */

/** The folders of each app, library and room, from the bottom up: a folder imports only folders before it. */
export const LAYERS: Readonly<Record<string, readonly string[]>> = {
  "apps/api": [
    "errors",
    "query",
    "redis",
    "admission",
    "present",
    "responses",
    "endpoints",
    "openapi",
    "serve",
    "cache",
    "search",
    "paging",
    "name-search",
    "exports",
    "stats",
    "changes",
    "feed-links",
    "routes",
    "mcp",
  ],
  "apps/dashboard": ["requests", "mail", "slack", "sessions", "explore", "keys", "oauth", "routes"],
  "apps/indexer": [
    "read",
    "derive",
    "write",
    "pipeline",
    "feed-serving",
    "rebuild",
    "purge",
    "upkeep",
    "webhooks",
    "follows",
    "jobs",
    "health",
    "workers",
  ],
  "apps/operators": ["access", "routes"],
  "apps/ops": ["terminal", "context", "accounts", "texts", "jobs", "backup", "suggest", "ingest", "commands"],
  "libs/shared": ["domain", "process", "engines", "protocol", "accounts"],
  "libs/shared/domain": ["time", "text", "vocabulary", "technologies", "signals", "records"],
  "libs/shared/engines": ["search", "redis"],
  "libs/shared/protocol": ["ticket", "feed", "generations", "queue", "rebuild", "runs"],
  "libs/http": ["errors", "server", "pages"],
  "libs/read-models": ["documents", "indices", "query", "feed", "parameters"],
  "libs/operations": [
    "installation",
    "queues",
    "dead-letters",
    "rebuild",
    "status",
    "metrics",
    "explain",
    "requests",
    "accounts",
  ],
  "libs/intake": ["mapping", "sources", "suggest", "reading", "runs", "http"],
};

/** The libraries, from the bottom up: a library imports only libraries before it. */
const LIBRARIES: readonly string[] = ["shared", "http", "read-models", "webhooks", "operations", "intake"];

/** Folders of pure functions: they get clients, files and the time passed in. */
const PURE = [
  "libs/read-models/parameters",
  "apps/api/present",
  "apps/api/query",
  "apps/api/responses",
  "apps/indexer/derive",
  "libs/intake/mapping",
  "libs/read-models/documents",
  "libs/read-models/indices/mappings\\.ts",
  "libs/read-models/query",
  "libs/shared/domain/(?!technologies/)",
  "libs/shared/domain/technologies/technology\\.ts",
];

const CORE_CLIENTS = "^(node:)?(http|https|net|tls|dgram|fs|child_process|worker_threads|cluster)(/|$)";
const CLIENT_PACKAGES = "node_modules/(ioredis|bullmq|koa|@koa|undici)/";
const SEARCH_CLIENT = "node_modules/@elastic/elasticsearch/";
const PURE_PATH = `^(${PURE.join("|")})`;

type Rule = IRegularForbiddenRuleType;
type Ends = Pick<Rule, "from" | "to" | "scope">;

const forbid = (name: string, ends: Ends, comment = name): Rule => ({
  name,
  comment,
  severity: "error",
  ...ends,
});

const layerRules = Object.entries(LAYERS).flatMap(([root, folders]) => [
  ...folders
    .slice(0, -1)
    .map((folder, position) =>
      forbid(
        `layers: ${root}/${folder}`,
        { from: { path: `^${root}/${folder}/` }, to: { path: `^${root}/(${folders.slice(position + 1).join("|")})/` } },
        `Below it are: ${folders.slice(0, position).join(", ") || "none"}.`,
      ),
    ),
  forbid(
    `layers: ${root} has a place for every folder`,
    { from: { path: `^${root}/(?!(${folders.join("|")}|node_modules)/)[^/]+/` }, to: {} },
    "Add the folder to LAYERS in .dependency-cruiser.ts and to docs/architecture.md.",
  ),
  forbid(`layers: ${root} folders do not import the files beside them`, {
    from: { path: `^${root}/[^/]+/` },
    to: { path: `^${root}/[^/]+\\.ts$` },
  }),
]);

const libraryRules = LIBRARIES.map((library, position) =>
  forbid(
    `libraries: ${library}`,
    {
      from: { path: `^libs/${library}/` },
      to: { path: "^libs/", pathNot: `^libs/(${LIBRARIES.slice(0, position + 1).join("|")})/` },
    },
    "Add a new library to LIBRARIES in .dependency-cruiser.ts.",
  ),
);

const rules: IConfiguration = {
  forbidden: [
    forbid("no cycle of files", { from: {}, to: { circular: true } }, "Type imports count."),
    forbid("no cycle of folders", {
      scope: "folder",
      from: { path: "^(apps|libs)/[^/]+/[^/]+" },
      to: { circular: true },
    }),
    forbid(
      "no app imports an app",
      { from: { path: "^apps/([^/]+)/" }, to: { path: "^apps/", pathNot: "^apps/$1/" } },
      "Code that two apps need belongs in libs.",
    ),
    forbid("apps and libs import only libs", {
      from: { path: "^(apps|libs)/" },
      to: { path: "^(infra|tools|docs|tests|web)/" },
    }),
    forbid(
      "pages import only types from apps and libs",
      {
        from: { path: "^web/" },
        to: { path: "^(apps|libs|infra|tools|docs|tests)/", dependencyTypesNot: ["type-only"] },
      },
      "Pages run in a browser.",
    ),
    forbid("only the start, tests and tools import local engines", {
      from: { pathNot: "^(infra/start|tests|tools)/" },
      to: { path: "^tools/local-engines/" },
    }),
    forbid("libs import no app", { from: { path: "^libs/" }, to: { path: "^apps/" } }),
    forbid(
      "pure folders use no client",
      { from: { path: PURE_PATH }, to: { path: [CORE_CLIENTS, CLIENT_PACKAGES] } },
      "Clients and files stay at the rim.",
    ),
    forbid("pure folders use only types of the search client", {
      from: { path: PURE_PATH },
      to: { path: SEARCH_CLIENT, dependencyTypesNot: ["type-only"] },
    }),
    forbid("every import resolves", { from: {}, to: { couldNotResolve: true } }),
    ...libraryRules,
    ...layerRules,
  ],
  options: {
    // The TypeScript compiler's API, which this tool would otherwise use, does not exist in TypeScript 7. Swc reads type imports, too.
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    // A test may use what it likes.
    exclude: { path: ["\\.test\\.tsx?$", "^tests/clients/", "^web/dist"] },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node"] },
  },
};

export default rules;
