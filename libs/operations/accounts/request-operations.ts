import { OTHERS } from "@tranche/shared/accounts/request-sums";
import { shownNumber } from "@tranche/shared/domain/text/numbers";
import type { Part } from "../requests/figures.ts";
import type { AccountRequests, ErrorShown, RequestsNow } from "../requests/requests-now.ts";
import { stateText } from "./account-view.ts";
import { type Listing, operation } from "./operation.ts";

const number = shownNumber;

const ACCOUNTS: Listing<RequestsNow["accounts"][number]> = {
  columns: {
    account: "id",
    name: "name",
    plan: "plan",
    status: ({ status, throttled }) => stateText(status, throttled),
    "5 minutes": ({ recent }) => number(recent),
    hour: ({ requests }) => number(requests),
    "by status": ({ by_status }) => statusText(by_status),
    slow: ({ slow }) => number(slow),
    "average ms": ({ average_ms }) => (average_ms === null ? "" : number(average_ms)),
  },
  empty: "No account has sent a request in the last hour.",
};

const parts = (of: string, none: string): Listing<Part> => ({
  columns: {
    [of]: ({ name }) => (name === OTHERS ? "all others" : name),
    hour: ({ requests }) => number(requests),
    refused: ({ refused }) => number(refused),
    failed: ({ failed }) => number(failed),
    slow: ({ slow }) => number(slow),
  },
  empty: none,
});

const ERRORS: Listing<ErrorShown> = {
  columns: {
    at: "at",
    status: ({ status }) => String(status),
    code: "code",
    route: "route",
    parameter: ({ parameter }) => parameter ?? "",
    key: "key",
    "request id": "request_id",
  },
  empty: "No request was refused or failed in the last 7 days.",
};

/** `200: 1,200, 429: 30`. */
const statusText = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${status}: ${number(count)}`)
    .join(", ");

const section = (heading: string, drawn: string): string => `\n${heading}\n${drawn}`;

/** Who sends requests. What is shown is at most some seconds old. */
export const REQUEST_OPERATIONS = {
  "requests.list": operation({
    on: "installation",
    input: [],
    async does(doing): Promise<RequestsNow> {
      const { requestsNow } = await import("../requests/requests-now.ts");
      return requestsNow(doing);
    },
    command: {
      name: "requests list",
      description:
        "List the accounts that sent requests in the last hour, the busiest first, and requests without a key.",
      text: ({ accounts, more, others, without_key }, _, table) =>
        [
          table(accounts, ACCOUNTS),
          ...(more > 0 ? [`${number(more)} more accounts sent requests.`] : []),
          ...(others.requests > 0
            ? [`${number(others.requests)} requests of further accounts were not counted by account.`]
            : []),
          section("Without a key that works", table(without_key.addresses, parts("from", "No requests."))),
        ].join("\n"),
    },
    operators: { route: "GET /requests", view: (now) => now },
  }),

  "requests.show": operation({
    on: "account",
    input: [],
    async does(doing, account): Promise<AccountRequests> {
      const { requestsOf } = await import("../requests/requests-now.ts");
      return requestsOf(doing, account);
    },
    command: {
      name: "requests show",
      description:
        "Show the requests of an account in the last hour by key, address and route, and its last errors, without what was asked for.",
      text({ recent, requests, by_status, keys, addresses, routes, errors }, { account, name }, table) {
        const none = "No requests.";
        return [
          `Account ${account} (${name}): ${number(requests)} requests in the last hour, ${number(recent)} of them in 5 minutes`,
          ...(requests > 0 ? [`By status: ${statusText(by_status)}`] : []),
          section("Keys", table(keys, parts("key", none))),
          section("Addresses", table(addresses, parts("from", none))),
          section("Routes", table(routes, parts("route", none))),
          section("Errors", table(errors, ERRORS)),
        ].join("\n");
      },
    },
    operators: { route: "GET /requests/:id", view: (of) => of },
  }),
};
