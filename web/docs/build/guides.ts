/** A page of the site made from Markdown. `file` is below `docs/`. */
export type Guide = { path: string; file: string };

/** The guides in the order in which people read them: of the navigation, and of previous and next. */
export const GUIDES: readonly Guide[] = [
  { path: "/docs", file: "guides/start.md" },
  { path: "/docs/tasks", file: "guides/tasks.md" },
  { path: "/docs/filters", file: "guides/filters.md" },
  { path: "/docs/paging", file: "guides/paging.md" },
  { path: "/docs/exports", file: "guides/exports.md" },
  { path: "/docs/changes", file: "guides/changes.md" },
  { path: "/docs/mirror", file: "guides/mirror.md" },
  { path: "/docs/webhooks", file: "guides/webhooks.md" },
  { path: "/docs/statistics", file: "guides/stats.md" },
  { path: "/docs/search", file: "guides/search.md" },
  { path: "/docs/signals", file: "guides/signals.md" },
  { path: "/docs/signal-catalogue", file: "signals.md" },
  { path: "/docs/spreadsheets", file: "guides/spreadsheets.md" },
  { path: "/docs/feeds", file: "guides/feeds.md" },
  { path: "/docs/limits", file: "guides/limits.md" },
  { path: "/docs/errors", file: "guides/errors.md" },
  { path: "/docs/versioning", file: "guides/versioning.md" },
];
