import { errorResponses } from "@tranche/http/errors/error-responses";
import { nothingThere } from "@tranche/http/pages/site-pages";
import { jsonBodies } from "@tranche/http/server/json-body";
import { requestIds } from "@tranche/http/server/request-id";
import type { Listener } from "@tranche/http/server/server";
import { namedSpans } from "@tranche/http/server/traced";
import { wellFormedOnly } from "@tranche/http/server/well-formed";
import type { Intake } from "@tranche/intake/http/routes";
import { VERSION } from "@tranche/shared/process/build";
import { publicPath } from "@tranche/shared/process/public-path";
import Koa from "koa";
import { guarded } from "./access/guard.ts";
import { createOperatorSessions } from "./access/sessions.ts";
import { createCountWrongToken } from "./access/wrong-tokens.ts";
import { operatorsPages } from "./pages.ts";
import { probes } from "./probes.ts";
import type { OperatorRouteParts } from "./routes/parts.ts";
import { createRouter } from "./routes/routes.ts";

type AppParts = Pick<OperatorRouteParts, "installation" | "doingAs" | "plans" | "dealTypes" | "log"> & {
  /** The one on which it listens. */
  port: string;
  /** Uploads. */
  intake: Pick<Intake, "tokenOf" | "routes">;
};

/** The operators' port, which is never public: `/metrics` for Prometheus, `/health/…` for probes, `/operators/` for people. */
export function createApp(parts: AppParts): Listener {
  const { installation, port, intake, log } = parts;
  const {
    TRANCHE_OPERATOR_HOST: listening,
    TRANCHE_OPERATOR_HOSTS: named,
    TRANCHE_OPERATOR_TOKEN: token,
  } = installation.settings;
  const app = new Koa();
  const sessions = token === undefined ? undefined : createOperatorSessions(token, port);
  const countWrongToken = createCountWrongToken(log);
  app.use(namedSpans());
  app.use(requestIds());
  app.use(errorResponses(log, publicPath(installation.settings)));
  app.use(wellFormedOnly());
  app.use(guarded({ listening, named, token, sessions, countWrongToken, ingestToken: intake.tokenOf }));
  app.use(probes(installation));
  app.use(operatorsPages({ usable: token !== undefined }));
  app.use(nothingThere());
  app.use(intake.routes());
  if (token !== undefined && sessions !== undefined) {
    app.use(jsonBodies());
    app.use(createRouter({ ...parts, sessions, token, countWrongToken, version: VERSION }).routes());
  }
  app.on("error", (error: Error) => log.warn({ reason: error.message }, "a request of an operator failed"));
  return app.callback();
}
