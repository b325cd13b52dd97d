import type { IncomingMessage, ServerResponse } from "node:http";
import type { Context } from "koa";
import type { Call } from "../serve/call.ts";

/** The request with which a tool calls an endpoint, on behalf of the caller of `/mcp`. It shares the state of the HTTP request: the charge and its reason. */
export class ToolCall implements Call {
  readonly method = "GET";
  readonly url: string;
  readonly #caller: Context;

  /** `url`: path and query string, as in a request over HTTP. */
  constructor(caller: Context, url: string) {
    this.#caller = caller;
    this.url = url;
  }
  get path(): string {
    return this.url.split("?", 1)[0]!;
  }
  get req(): IncomingMessage {
    return this.#caller.req;
  }
  get res(): ServerResponse {
    return this.#caller.res;
  }
  get ip(): string {
    return this.#caller.ip;
  }
  get state(): Call["state"] {
    return this.#caller.state;
  }
  /** The headers of the request are not about the endpoint: JSON is the default. */
  get(): string {
    return "";
  }
  /** Headers of answers have no place in the result of a tool. */
  set(): void {}
}
