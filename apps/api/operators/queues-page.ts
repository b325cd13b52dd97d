import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { KoaAdapter } from "@bull-board/koa";
import { QUEUES } from "@tranche/shared/queue/queues";
import type { Queue } from "bullmq";
import type { Middleware } from "koa";
import { CSRF_HEADER } from "./access/guard.ts";

const QUEUES_PATH = "/queues";
const SCRIPT_PATH = `${QUEUES_PATH}/csrf.js`;

type Routes = Parameters<KoaAdapter["setApiRoutes"]>[0];
type Route = Routes[number];
export type RetryAnswer = Awaited<ReturnType<Route["handler"]>>;

/** A requested retry: of one failed job of a queue, or of all. */
export type Retry = { queue: string; job: string };
/** Retries jobs and writes that to the audit log. */
export type AuditRetry = (retry: Retry, work: () => Promise<RetryAnswer>) => Promise<RetryAnswer>;

/** The only allowed routes of Bull Board that change something. All others are refused, also those of later versions. */
const RETRIES: Record<string, (params: Record<string, string>) => Retry | undefined> = {
  "put /api/queues/:queueName/:jobId/retry": ({ queueName, jobId }) => ({ queue: queueName!, job: jobId! }),
  "put /api/queues/:queueName/retry/:queueStatus": ({ queueName, queueStatus }) =>
    queueStatus === "failed" ? { queue: queueName!, job: "all" } : undefined,
};

/** A page that shows the queues and their jobs. Failed jobs can be retried; nothing else can be changed. */
export function queuesPage(queues: readonly Queue[], csrfToken: string, audit: AuditRetry): Middleware {
  const adapter = new RetryOnlyAdapter(audit);
  adapter.setBasePath(QUEUES_PATH);
  createBullBoard({
    queues: queues.map((queue) => {
      // Dead letters wait and never fail, so there is nothing to retry.
      const readOnlyMode = queue.name === QUEUES.deadLetters;
      return new BullMQAdapter(queue, { readOnlyMode });
    }),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: "Tranche queues", hideDocsLink: true } },
  });
  const board = adapter.registerPlugin();
  return async (ctx, next) => {
    if (ctx.path === SCRIPT_PATH) {
      ctx.type = "text/javascript";
      ctx.body = SCRIPT;
      return;
    }
    await board(ctx, next);
    if (typeof ctx.body === "string" && ctx.response.is("html")) ctx.body = ownPage(ctx.body, csrfToken);
  };
}

/** Bull Board with all actions disabled except retries of failed jobs. */
class RetryOnlyAdapter extends KoaAdapter {
  readonly #audit: AuditRetry;

  constructor(audit: AuditRetry) {
    super();
    this.#audit = audit;
  }

  override setApiRoutes(routes: Routes): this {
    super.setApiRoutes(routes.map((route) => ({ ...route, handler: this.#limited(route) })));
    return this;
  }

  #limited(route: Route): Route["handler"] {
    const methods = [route.method].flat();
    if (methods.every((method) => method === "get")) return (request) => route.handler(request);
    return async (request) => {
      const retry = RETRIES[`${methods.join()} ${[route.route].flat().join()}`]?.(
        request?.params as Record<string, string>,
      );
      if (!retry) return { status: 403, body: { error: { key: "ERRORS.FORBIDDEN" }, message: ONLY_RETRIES } };
      return this.#audit(retry, async () => route.handler(request));
    };
  }
}

const ONLY_RETRIES = "This page can only retry failed jobs. `ops` does the rest: see `ops help`.";

/** Bull Board's page without assets from other hosts, and with the token that its requests must send. */
function ownPage(html: string, csrfToken: string): string {
  const meta = `<meta name="csrf-token" content="${csrfToken}"><script src="${SCRIPT_PATH}"></script>`;
  return html
    .replaceAll(/<link\b[^>]*\bhref="(?:https?:)?\/\/[^>]*>\s*/g, "")
    .replace("</head>", () => `${meta}</head>`);
}

const SCRIPT = `const { content } = document.querySelector('meta[name="csrf-token"]');
const { send } = XMLHttpRequest.prototype;
XMLHttpRequest.prototype.send = function (...body) {
  this.setRequestHeader("${CSRF_HEADER}", content);
  return send.apply(this, body);
};
`;
