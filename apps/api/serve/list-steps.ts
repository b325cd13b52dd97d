import type { Plan } from "@tranche/shared/accounts/plans";
import type { Context } from "koa";
import type { CallerRequest } from "../admission/charge.ts";
import type { Answer, Refusal } from "../present/answer.ts";
import type { Cacheable, Generation } from "./generation.ts";

/** An admitted request, and the generation in which it is answered; without one, nothing is cached. */
export type AdmittedRequest = { plan: Plan; generation?: Generation | undefined };

/**
 * The steps of a request to a list that a cache can replace. `Page`: a page on the caller's plan, as plain data. Answers of
 * equal pages are equal while the documents are. `Admitted` goes from `admit` to `answer`.
 */
export type ListSteps<Request, Page, Admitted extends AdmittedRequest = AdmittedRequest> = {
  identify: (caller: CallerRequest) => Promise<unknown>;
  parse: (ctx: Context) => Request;
  admit: (ctx: Context, request: Request) => Promise<Admitted>;
  page: (request: Request, plan: Plan) => Page;
  answer: (page: Page, admitted: Admitted) => Promise<Cacheable<Answer | Refusal>>;
};

/** The steps of a list without a cache: `admit` needs no more of a request than its head. */
export type UncachedSteps<Request, Page> = Omit<ListSteps<Request, Page>, "admit"> & {
  admit: (caller: CallerRequest, request: Request) => Promise<AdmittedRequest>;
};
