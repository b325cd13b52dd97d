import { setTimeout as pause } from "node:timers/promises";
import { unlessBusy } from "./unless-busy.ts";

/** A result of a tool, as it travels. */
export type ToolResult = {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent: {
    data?: unknown;
    pagination?: { count: number; limit: number; has_more: boolean; next_cursor: string | null };
    total?: { count: number };
    next?: string;
    has_more?: boolean;
    other?: object | null;
    warnings?: { code: string; message: string }[];
    error?: { code: string; message: string; retry_after_seconds?: number };
    cost: number;
    url?: string;
  };
};
type Reply = {
  result?: ToolResult & Record<string, unknown>;
  error?: { code: number | string; message: string };
};

const HEADERS = { "content-type": "application/json", accept: "application/json, text/event-stream" };

/** Sends bodies to `/mcp` of a service, with a key. `base`: of the API, when the service has started. */
export function mcpClient(base: () => string) {
  const address = () => new URL("/mcp", base()).href;
  const post = (
    key: string,
    body: string | Buffer<ArrayBuffer>,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(address(), { method: "POST", headers: { ...HEADERS, authorization: `Bearer ${key}`, ...headers }, body });
  const message = (method: string, params: object = {}): string =>
    JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const ask = async (key: string, method: string, params?: object) => {
    const response = await unlessBusy(() => post(key, message(method, params)));
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, reply: JSON.parse(text) as Reply };
  };
  const callOnce = async (key: string, name: string, given: object): Promise<ToolResult> => {
    const { status, text, reply } = await ask(key, "tools/call", { name, arguments: given });
    if (status !== 200 || !reply.result) throw new Error(`${name} ${JSON.stringify(given)}: ${status} ${text}`);
    return reply.result;
  };
  /** As `unlessBusy`: a refusal of a tool has the status 200. */
  const call = async (key: string, name: string, given: object = {}): Promise<ToolResult> => {
    const result = await callOnce(key, name, given);
    const { error } = result.structuredContent;
    if (error?.code !== "unavailable") return result;
    await pause(1000 * error.retry_after_seconds!);
    return callOnce(key, name, given);
  };
  return { address, post, message, ask, call };
}

/** The only text of a result. */
export const textOf = (result: ToolResult): string => result.content.map(({ text }) => text).join("");
