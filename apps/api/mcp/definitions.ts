import type { Tool } from "@modelcontextprotocol/server";
import { inputSchema } from "./input-schema.ts";
import type { ToolEndpoints } from "./tool-endpoints.ts";
import { TOOLS } from "./tools.ts";

/** The tools as clients list them. */
export function toolDefinitions(endpoints: ToolEndpoints): readonly Tool[] {
  const explained = new Set<string>();
  return Object.entries(TOOLS).map(([name, tool]) => ({
    name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool, endpoints, explained),
    annotations: { readOnlyHint: true, openWorldHint: false },
  }));
}
