import { assertCsrfToken, changesSomething, csrfTokenOf } from "@tranche/http/pages/csrf";
import { isForeign } from "@tranche/http/server/same-origin";
import { OWN_PAGE_HEADERS } from "@tranche/http/server/security-headers";
import { isIngestPath } from "@tranche/intake/http/routes";
import type { IngestToken } from "@tranche/shared/accounts/ingest-token-store";
import type { Context, Middleware } from "koa";
import { isOwnHost } from "@tranche/http/server/own-host";
import { PageError } from "@tranche/http/errors/page-error";
import type { OperatorSessions } from "./sessions.ts";
import { type Access, accessOf, carriesToken } from "./token.ts";
import type { CountWrongToken } from "./wrong-tokens.ts";

export type Guard = {
  /** The interface the port listens on. */
  listening: string;
  /** Other names that a Host header may have. */
  named: readonly string[];
  token: string | undefined;
  /** Sessions of the pages; undefined without a token. */
  sessions: Pick<OperatorSessions, "find"> | undefined;
  countWrongToken: CountWrongToken;
  /** The stored ingest token of a bearer token; undefined when it does not work. */
  ingestToken: (bearer: string) => Promise<IngestToken | undefined>;
};

/** The pages, and what they request. */
export const PAGES_PATH = "/operators/";
export const PAGES_API = "/operators/api";
const SIGN_IN_PATH = `${PAGES_API}/sign-in`;

/** For probes and scrapers, a valid Host header or the token is enough. Everything else is a page for people. */
const OPEN = new Set(["/metrics", "/health/live", "/health/ready"]);

/** Admits operators only: no pages of other origins in an operator's browser, and no foreign host names (DNS rebinding). */
export function guarded(guard: Guard): Middleware {
  return async (ctx, next) => {
    ctx.set({ ...OWN_PAGE_HEADERS, "Cache-Control": "no-store" });
    if (isForeign(ctx.headers)) {
      throw new PageError("foreign_page", "This request comes from a page of another origin.");
    }
    const sent = accessOf(ctx.headers.authorization, guard.token);
    const countIfWrong = async () => {
      if (!sent && carriesToken(ctx.headers.authorization)) await guard.countWrongToken(ctx.ip);
    };
    // It opens this path alone. Its sender knows where to send it, as that of the operators' token does.
    const ingestToken = sent || !isIngestPath(ctx.path) ? undefined : await ingestTokenOf(ctx, guard);
    if (ingestToken) {
      ctx.state["ingestToken"] = ingestToken;
      return next();
    }
    const local = ctx.socket.localAddress;
    // A cookie does not replace the check of the Host header: only a caller that sends the token itself knows where to send it.
    if (!sent && !isOwnHost(ctx.headers.host, { ...guard, local })) {
      await countIfWrong();
      throw new PageError(
        "wrong_host",
        "The Host header is not an address of this port. Name it in TRANCHE_OPERATOR_HOSTS, or send the operators' token.",
      );
    }
    if (OPEN.has(ctx.path) || isPage(ctx)) return next();
    // Uploads need no operators' token: the port may have ingest tokens alone.
    if (guard.token === undefined && !isIngestPath(ctx.path)) {
      throw new PageError(
        "no_token_set",
        "This page needs a token: set TRANCHE_OPERATOR_TOKEN and start the process again.",
      );
    }
    if (ctx.path === SIGN_IN_PATH && ctx.method === "POST") return next();
    const access: Access | undefined = sent ?? (guard.sessions?.find(ctx) && "cookie");
    if (!access) {
      await countIfWrong();
      throw signedOut(ctx);
    }
    if (changesSomething(ctx) && access !== "bearer") {
      assertCsrfToken(ctx, csrfTokenOf(guard.token!, "the operators' pages"));
    }
    return next();
  };
}

async function ingestTokenOf({ headers }: Context, guard: Guard): Promise<IngestToken | undefined> {
  const [, bearer] = /^bearer +(\S+)$/i.exec(headers.authorization?.trim() ?? "") ?? [];
  return bearer === undefined ? undefined : guard.ingestToken(bearer);
}

/** The pages themselves are the same for everybody and show nothing; only what they request needs the token. */
const isPage = ({ path, method }: Context): boolean =>
  !changesSomething({ method }) && (path === "/" || (`${path}/`.startsWith(PAGES_PATH) && !isApi(path)));

const isApi = (path: string): boolean => `${path}/`.startsWith(`${PAGES_API}/`);

/** The pages show a form of their own; elsewhere the browser asks for the token. */
function signedOut({ path }: Context): PageError {
  if (isApi(path)) return new PageError("signed_out", "Sign in with the operators' token.");
  return new PageError(
    "signed_out",
    "Send the operators' token as `Authorization: Bearer`, or as the password of any user; to /ingest, an ingest token.",
    { headers: { "WWW-Authenticate": 'Basic realm="Tranche operators", charset="UTF-8", Bearer' } },
  );
}
