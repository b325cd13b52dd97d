import type { DefaultContext } from "koa";

/** The pattern of the path that answers a request, once its route was found; undefined where none fits. */
export const matchedRoute = ({ _matchedRoute: route }: DefaultContext): string | undefined =>
  typeof route === "string" ? route : undefined;
