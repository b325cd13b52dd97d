import type { Operation } from "./operations.ts";
import { REFERENCE } from "./reference-page.ts";

const PREFIX = "/api/v1";

/**
 * Where a request in a guide, such as `/funding?country=DE`, is tried: the page of its operation, with the parameters in its address.
 * Undefined for code that is no request or names an endpoint alone. Throws when the operation has no such parameter.
 */
export function requestLink(code: string, operations: readonly Operation[]): string | undefined {
  const [path, query] = code.split("?") as [string, string?];
  if (!path.startsWith("/") || !/^[/\w.%-]+$/.test(path)) return undefined;
  const exact = operations.find((each) => each.path === PREFIX + path);
  if (exact && query === undefined) return `${REFERENCE}/${exact.id}`;
  const [, list, id] = /^\/(\w+)\/([^/]+)$/.exec(path) ?? [];
  const operation = exact ?? operations.find((each) => each.path === `${PREFIX}/${list}/{id}`);
  if (operation === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  for (const name of parameters.keys()) {
    if (!operation.parameters.some((each) => each.name === name))
      throw new Error(`\`${code}\`: ${operation.path} has no parameter ${name}.`);
  }
  if (!exact) parameters.set("id", decodeURIComponent(id!));
  return `${REFERENCE}/${operation.id}?${parameters.toString()}`;
}
