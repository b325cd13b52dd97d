import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { Installation } from "@tranche/operations/installation/installation";
import { audited } from "@tranche/shared/accounts/audit-log";
import type { IngestToken, IngestTokenStore } from "@tranche/shared/accounts/ingest-token-store";
import type { MappingStore } from "@tranche/shared/accounts/mapping-store";
import type { DealTypes } from "@tranche/shared/domain/vocabulary/deal-types";
import type { Held } from "@tranche/shared/engines/search/held-document";
import type { Logger } from "@tranche/shared/process/logger";
import { BadMapping } from "../mapping/bad-mapping.ts";
import { ingestFigures } from "../reading/figures.ts";
import { createRefusals } from "../reading/refusals.ts";
import type { IngestSummary } from "../reading/summary.ts";
import { type NamedMapping, storedMapping } from "../sources/stored-mapping.ts";
import { SetUnderWay } from "../runs/set-run.ts";
import { runIngest } from "../runs/run.ts";
import { type Body, bodyInput } from "./body.ts";
import type { Claim, Claims } from "./claims.ts";
import { IngestError } from "./errors.ts";
import { assertNoForm, idempotencyKeyOf, isPacked, parametersOf, type UploadParameters } from "./parameters.ts";
import { assertSet, beyondRights } from "./rights.ts";
import { type Answer, uploadAnswer } from "./upload-answer.ts";

/** The sender: an operator, or the holder of an ingest token. `name` is that of the audit log. */
export type Sender = { name: string; token: IngestToken | undefined };

type UploadParts = {
  installation: Installation;
  dealTypes: DealTypes;
  tokens: Pick<IngestTokenStore, "isWorking">;
  mappings: Pick<MappingStore, "find">;
  claims: Claims;
  log: Pick<Logger, "info" | "warn">;
  publicPath: string;
  /** Aborts when the process ends. */
  closing: AbortSignal;
};

type Upload = {
  request: IncomingMessage;
  query: URLSearchParams;
  sender: Sender;
  requestId: string;
};

/** Ids that an upload remembers, to notice that they come again: many may run at once. */
const REMEMBERED = 5000;
/** When to ask again for a run that is under way. */
const ASK_AGAIN_S = 5;

/** Reads an upload into the queue. Everything that can be refused without reading the body is refused before. */
export async function upload(parts: UploadParts, { request, query, sender, requestId }: Upload): Promise<Answer> {
  const { installation, claims } = parts;
  const parameters = parametersOf(query);
  assertNoForm(request.headers);
  if (sender.token) assertSet(sender.token, parameters.set?.name);
  const packed = isPacked(request.headers);
  const key = idempotencyKeyOf(request.headers);
  const stored = await mappingOf(parts, parameters);
  const body = bodyInput(request, { file: parameters.file, packed });
  if (key === undefined) return run(undefined);

  const asked = createHash("sha256")
    .update(JSON.stringify(whatMatters(parameters, stored)))
    .digest("hex");
  const claimed = await claims.claim(sender.name, key, asked);
  if (claimed.kind === "under way") {
    await body.drain(false);
    const which = claimed.run === null ? "" : ` ${claimed.run}`;
    throw new IngestError("conflict", `The run${which} of this Idempotency-Key is under way. Ask again.`, {
      parameter: "Idempotency-Key",
      retryAfter: ASK_AGAIN_S,
      inProgress: claimed.run,
    });
  }
  if (claimed.kind === "own") return run(claimed.claim);
  if (claimed.asked === asked) {
    await readAll(body);
    if (body.broken() === undefined && body.sha256() === claimed.outcome.sha256) return claimed.outcome;
  } else await body.drain(false);
  throw new IngestError(
    "conflict",
    "This Idempotency-Key belongs to another upload of the last 24 hours: its bytes or parameters differ. Use another key.",
    { parameter: "Idempotency-Key" },
  );

  async function run(claim: Held<Claim> | undefined): Promise<Answer> {
    const refusals = createRefusals();
    const revoked = watchToken(parts, sender);
    const interrupted = AbortSignal.any([parts.closing, revoked.signal]);
    const answerOf = (summary: IngestSummary): Answer =>
      uploadAnswer(summary, { body, refusals, wait: parameters.wait, requestId, publicPath: parts.publicPath });
    const log = { client: installation.client, index: installation.names.accounts, actor: sender.name };
    let isFree = true;
    try {
      const work = () =>
        runIngest(
          {
            inputs: [body],
            format: parameters.format,
            mapping: stored?.mapping,
            refuse: sender.token && ((record) => beyondRights(sender.token!, record)),
            set: parameters.set && { ...parameters.set, mayDelete: sender.token?.deletes ?? true },
            wait: parameters.wait,
            strict: parameters.strict,
            onlyNew: parameters.onlyNew,
          },
          {
            installation,
            dealTypes: parts.dealTypes,
            progress: { begin: () => {}, at: () => {}, warn: (line) => parts.log.warn({ line }, "an upload") },
            refusals,
            interrupted,
            remembers: REMEMBERED,
            about: { by: sender.name, ...(stored ? { mapping: stored.named } : {}) },
            onBegun: async (id) => claim?.change({ run: id }),
            async onEnqueued(summary) {
              if (summary.interrupted || body.broken() !== undefined) return;
              await body.drain(claim !== undefined);
              const outcome = answerOf(summary);
              // Such a run failed: the same key may be used for the corrected upload.
              if (outcome.status === 400 || outcome.status === 413) return;
              isFree = false;
              await claim?.change({ outcome: { ...outcome, sha256: body.sha256() } });
            },
          },
        );
      const summary = await audited(log, "ingest", { files: parameters.file }, work, ingestFigures);
      if (revoked.signal.aborted) throw new IngestError("signed_out", "The token was revoked during the upload.");
      if (summary.interrupted)
        throw new IngestError(
          "unavailable",
          `The process ends: run ${summary.run} has what came before. Send it again.`,
          {
            retryAfter: ASK_AGAIN_S,
          },
        );
      const end = answerOf(summary);
      // It says "send it again".
      if (end.status === 503) isFree = true;
      if (!isFree) await claim?.change({ outcome: { ...end, sha256: body.sha256() } });
      return end;
    } catch (error) {
      if (!(error instanceof SetUnderWay)) throw error;
      await body.drain(false);
      throw new IngestError("conflict", error.message, {
        parameter: "set",
        retryAfter: ASK_AGAIN_S,
        inProgress: error.run,
      });
    } finally {
      revoked.stop();
      // Until here others were told that the run is under way.
      await (isFree ? claim?.remove() : claim?.release({ ended: true }));
    }
  }
}

async function mappingOf({ mappings }: UploadParts, { map }: UploadParameters): Promise<NamedMapping | undefined> {
  if (!map) return undefined;
  const found = await storedMapping(mappings, map).catch((error: Error) => {
    throw error instanceof BadMapping ? wrongMap(error.message) : error;
  });
  const which = map.version === undefined ? `mapping '${map.name}'` : `version ${map.version} of '${map.name}'`;
  if (!found) throw wrongMap(`There is no stored ${which}. \`ops mappings list\` shows them.`);
  return found;
}

const wrongMap = (message: string) => new IngestError("invalid_request", message, { parameter: "map" });

/** The options that make another upload of the same bytes; whether its sender waits is none. */
const whatMatters = (parameters: UploadParameters, stored: NamedMapping | undefined) => ({
  ...parameters,
  wait: undefined,
  map: stored?.named,
});

async function readAll(body: Body): Promise<void> {
  await body.open({});
  await body.drain(true);
}

/** Aborts when the sender's token no longer works. */
function watchToken(
  { installation, tokens }: UploadParts,
  { token }: Sender,
): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  if (!token) return { signal: controller.signal, stop: () => {} };
  const look = async () => {
    if (!(await tokens.isWorking(token))) controller.abort(new Error("the token was revoked"));
  };
  // While Elasticsearch is away, nothing can be stored either.
  const timer = setInterval(() => void look().catch(() => {}), installation.timing.tokenLook);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}
