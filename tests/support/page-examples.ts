import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** Requests of a page in `docs/`, each with what the page says that it answers. */
export function examplesOf(file: string): [path: string, answer: unknown][] {
  const page = readFileSync(new URL(`../../docs/${file}`, import.meta.url), "utf8");
  return [...page.matchAll(/^`GET \/api\/v1([^`]+)`\n\n```json\n([^`]*)```/gm)].map(([, path, json]) => [
    path!,
    JSON.parse(json!) as unknown,
  ]);
}

/** Expects all of this to be in an answer; there may be more around it, in objects and in lists. */
export function containing(value: unknown): unknown {
  if (Array.isArray(value)) return expect.arrayContaining(value.map(containing));
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, each]) => [key, containing(each)])),
  );
}
