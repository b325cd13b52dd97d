import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/endpoints.ts";
import type { Served } from "../routes/serving.ts";

/** Parameters that shape the answer or delay it over HTTP, and have no meaning in a tool. */
const OF_HTTP: ReadonlySet<string> = new Set(["format", "text", "wait"]);

export type ToolEndpoints = Pick<Endpoints, Served>;

/** The endpoints with the parameters that tools have as arguments. */
export function toolEndpoints(endpoints: Endpoints): ToolEndpoints {
  const withoutHttp = ([name, endpoint]: [string, Endpoint]) => {
    const parameters = Object.entries(endpoint.parameters).filter(([parameter]) => !OF_HTTP.has(parameter));
    return [name, { ...endpoint, parameters: Object.freeze(Object.fromEntries(parameters)) }];
  };
  // What is left out is optional in each table.
  return Object.fromEntries(Object.entries(endpoints).map(withoutHttp)) as ToolEndpoints;
}
