import { readdirSync, readFileSync } from "node:fs";
import { expect } from "vitest";

/** Requests of a page, below `/api/v1`, as `GET` or as `curl`, each with what the page says that it answers, if it does. */
export function examplesOf(file: string): [path: string, answer: unknown][] {
  const page = readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");
  const requests = page.matchAll(
    /(?:`GET |^curl .*?"?https?:\/\/[^/]+)\/api\/v1([^`"\s]+)["`]?(?:\n```)?(?:\n\n```json\n([^`]*)```)?/gm,
  );
  // One with a shell variable continues another.
  const whole = [...requests].filter(([, path]) => !path!.includes("$"));
  return whole.map(([, path, json]) => [path!, json && (JSON.parse(json) as unknown)]);
}

/** Every page for callers of the API. */
export const PAGES = [
  "README.md",
  ...readdirSync(new URL("../../docs/", import.meta.url), { recursive: true })
    .map((name) => `docs/${name.toString()}`)
    .filter((name) => name.endsWith(".md")),
];

/** Expects all of this to be in an answer; there may be more around it, in objects and in lists. */
export function containing(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(containing));
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, containing(each)])),
  );
}
