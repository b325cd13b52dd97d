import type Router from "@koa/router";
import type { Context } from "koa";
import type { z } from "zod";
import { bodyOf } from "../server/json-body.ts";

/** A request as its handler gets it. `By`: its sender, as the app knows them. `id`: that of a path with `:id`; there is none of another. */
export type AskedBy<By, B = unknown> = By & { ctx: Context; id: string; body: B };

/** A request of pages: the schema of its body, and the handler that makes the data of its answer. */
export type PageRequest<By, S extends z.ZodType = z.ZodType, D = unknown> = {
  body?: S;
  status?: number;
  /** The handler writes the whole answer. */
  answersItself?: true;
  /** Without data, the status is 204. */
  answer(asked: AskedBy<By, z.output<S>>): Promise<D>;
};

/** The types of the body and the data of each request of a table. */
export type Sent<T> = {
  [R in keyof T]: T[R] extends { body?: infer S; answer(asked: never): Promise<infer D> }
    ? { body: S extends z.ZodType ? z.input<S> : undefined; data: D }
    : never;
};

/**
 * Adds requests by method and path, such as `GET /keys/:id`. `admit` throws for one that is refused, before its body is looked at. Throws for a
 * path with another variable, which no handler would get.
 */
export function addRequests<By, R extends PageRequest<By>>(
  router: Router,
  requests: Readonly<Record<string, R>>,
  admit: (ctx: Context, request: R, route: string) => Promise<By>,
): void {
  for (const [route, request] of Object.entries(requests)) {
    const [method, path] = route.split(" ") as [string, string];
    if (/:(?!id(?:\/|$))/.test(path)) throw new Error(`The variable of ${route} must be :id.`);
    router.register(path, [method], async (ctx: Context) => {
      const by = await admit(ctx, request, route);
      const body = request.body && bodyOf(ctx, request.body);
      const data = await request.answer({ ...by, ctx, id: ctx["params"].id, body });
      if (request.answersItself) return;
      if (data === undefined) ctx.status = 204;
      else ctx.body = { data };
      if (request.status) ctx.status = request.status;
    });
  }
}
