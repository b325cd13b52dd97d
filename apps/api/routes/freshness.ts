import type { ChangeTickets } from "@tranche/read-models/documents/change-tickets";
import type { FundingDocument } from "@tranche/read-models/documents/funding";
import { dayOfTime, isoDay } from "@tranche/shared/domain/time/day";
import type { ReadModel } from "@tranche/shared/engines/search/index-names";
import { shareByKey } from "@tranche/shared/process/share-by-key";
import { NO_QUOTA } from "../admission/admit.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import { answerOf } from "../present/answer.ts";
import { newestChange, newestRound, rowCount } from "../query/freshness.ts";
import { timeOfTicket } from "../redis/open-writes.ts";
import type { Freshness } from "../responses/freshness.ts";
import type { Serve } from "../serve/call.ts";
import { COMPANIES_LIST, FUNDING_LIST, INVESTORS_LIST } from "./lists.ts";
import type { ApiParts } from "./parts.ts";
import { applyPreference, readRequest } from "./request.ts";

/** How new the data is. */
export function serveFreshness(endpoint: Endpoint, parts: ApiParts): Serve {
  const share = shareByKey<Freshness>({ ms: parts.timing.freshness, keys: 1 });
  return async (call) => {
    await parts.identify(call);
    const request = readRequest(call, endpoint);
    applyPreference(call, request);
    await parts.admit(call, request.refusal, NO_QUOTA);
    return answerOf("json", JSON.stringify(await share("freshness", () => readFreshness(parts))));
  };
}

async function readFreshness({ search, names, now, publishing }: ApiParts): Promise<Freshness> {
  const index = (model: ReadModel) => names.role(model, "live");
  const countOf = async ({ model, base }: Pick<typeof FUNDING_LIST, "model" | "base">) =>
    (await search(index(model), rowCount(base))).count;
  const changedAt = async (model: ReadModel) => {
    const [newest] = (await search<ChangeTickets>(index(model), newestChange())).documents;
    return newest ? timeOfTicket(newest.changed) : null;
  };
  const newestAnnounced = async () => {
    const [newest] = (await search<FundingDocument>(index("funding"), newestRound(FUNDING_LIST.base))).documents;
    return newest?.announced_date ?? null;
  };
  const [rounds, companies, investors, roundsChanged, companiesChanged, newest_announced_date, published] =
    await Promise.all([
      countOf(FUNDING_LIST),
      countOf(COMPANIES_LIST),
      countOf(INVESTORS_LIST),
      changedAt("funding"),
      changedAt("companies"),
      newestAnnounced(),
      publishing(),
    ]);
  return {
    today: isoDay(dayOfTime(now())),
    lists: {
      funding: { count: rounds, changed_at: roundsChanged, newest_announced_date },
      companies: { count: companies, changed_at: companiesChanged },
      investors: { count: investors, changed_at: published?.investorsChangedAt ?? null },
    },
    delay_seconds: published?.delaySeconds ?? null,
  };
}
