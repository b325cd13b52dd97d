import type { Plan } from "@tranche/shared/accounts/plans";
import type { CallerRequest } from "../admission/charge.ts";
import type { Answer, Refusal } from "../present/answer.ts";
import type { Call } from "./call.ts";
import type { Cacheable, Generation } from "./generation.ts";

/** An admitted request, and the generation in which it is answered; without one, nothing is cached. */
export type AdmittedRequest = { account: string; plan: Plan; generation?: Generation | undefined };

/** A finished answer, and whether it had to be computed. */
export type Answered = { value: Answer | Refusal; computed: boolean };

/**
 * The steps of a request to a list that a cache can replace. `Page`: a page on the caller's plan, as plain data. Answers of
 * equal pages are equal while the documents are. `Admitted` goes from `admit` to `answer`.
 */
export type ListSteps<Request, Page, Admitted extends AdmittedRequest = AdmittedRequest> = {
  /** Whether a 304 costs as much as the answer when that had to be computed. */
  costsUnchanged?: (request: Request) => boolean;
  identify: (caller: CallerRequest) => Promise<unknown>;
  parse: (call: Call) => Request;
  admit: (call: Call, request: Request) => Promise<Admitted>;
  page: (request: Request, plan: Plan) => Page;
  answer: (page: Page, admitted: Admitted) => Promise<Answered>;
};

/**
 * The steps of a list without a cache: `admit` needs no more of a request than its head. `left` aborts when all callers who wait for the
 * answer have left. What `answer` throws at once, not as a promise, concerns the caller alone.
 */
export type UncachedSteps<Request, Page> = Omit<ListSteps<Request, Page>, "admit" | "answer"> & {
  admit: (caller: CallerRequest, request: Request) => Promise<AdmittedRequest>;
  answer: (page: Page, admitted: AdmittedRequest, left: AbortSignal) => Promise<Cacheable<Answer | Refusal>>;
};
