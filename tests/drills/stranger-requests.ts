import { newApiKey, newHandle } from "@tranche/shared/accounts/api-key";

/** One request of somebody without a key that opens anything, and how it may be answered. */
export type StrangerRequest = {
  method?: "GET" | "POST" | "OPTIONS";
  path: string;
  headers?: Record<string, string>;
  answers: readonly number[];
};

/** 429: an address that has sent too many. */
const REFUSED = [401, 429];
/** What is left of 8 KiB for a query. */
const LONG = 8100;
const fill = (piece: string, length = LONG) => piece.repeat(Math.floor(length / piece.length));
const list = (query: string): StrangerRequest => ({ path: `/api/v1/signals?${query}`, answers: REFUSED });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
const wrong = () => `${newApiKey(newHandle()).slice(0, -6)}000000`;
const NOT_THERE = newApiKey(newHandle());
/** The longest page of the docs; 503 where nobody has built them. */
const longPage = (headers: Record<string, string> = {}): StrangerRequest => ({
  path: "/docs/signal-catalogue",
  headers,
  answers: [200, 503],
});

/** The requests that cost an API most without a key, as far as anybody could think of them. Each call makes a fresh one. */
export const STRANGER_REQUESTS: Record<string, () => StrangerRequest> = {
  "a long run of blanks": () => list(`city=a${fill("+", 8000)}b`),
  "escaped blanks": () => list(`category=a${fill("%20")}b`),
  "50 unknown countries": () =>
    list(`country=${Array.from({ length: 50 }, (_, n) => `A+country+number+${n}`).join(",")}`),
  "thousands of commas": () => list(`tech_stack=${fill(",")}`),
  "thousands of items": () => list(`tech_stack=${fill("a,")}a`),
  "quotes that stay open": () => list(`city=${fill('"",')}"`),
  "escapes of many bytes": () => list(`city=${fill("%F0%9F%98%80")}`),
  "escapes that are cut": () => list(`city=${fill("%F0%9F%98%80")}%F0`),
  "thousands of unknown names": () => list(Array.from({ length: 1000 }, (_, n) => `n${n}=1`).join("&")),
  "a name thousands of times": () => list(fill("city=a&")),
  "a list with a mistyped key": () => ({ ...list(`city=a${fill("+")}b`), headers: bearer(wrong()) }),
  "a list with a key that nobody has": () => ({
    ...list(`city=a${fill("+")}b`),
    headers: bearer(newApiKey(newHandle())),
  }),
  "the same key that nobody has": () => ({ ...list("country=nowhere"), headers: bearer(NOT_THERE) }),
  "a key of 12 KiB": () => ({ ...list("country=US"), headers: bearer(fill("a", 12_000)) }),
  "a scheme before thousands of blanks": () => ({
    ...list("country=US"),
    headers: { authorization: `Bearer${fill(" ", 12_000)}x` },
  }),
  "a look-up of 8 KiB": () => ({ path: `/api/v1/companies/${fill("%C3%A4")}`, answers: REFUSED }),
  "a preference and an Accept of thousands of items": () => ({
    ...list("country=US"),
    headers: { accept: fill("a/b;q=0.1,", 7000), prefer: fill("handling=strict,", 7000) },
  }),
  "hundreds of headers": () => ({
    ...list("country=US"),
    headers: Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x${n}`, "1"])),
  }),
  "cookies of 15 KiB": () => ({ ...list("country=US"), headers: { cookie: fill("a=b; ", 15_000) } }),
  "headers that are too large": () => ({
    ...list("country=US"),
    headers: { "x-much": fill("a", 17_000) },
    answers: [431],
  }),
  "an address that is too long": () => ({ ...list(fill("a", 9000)), answers: [414] }),
  "a long page as brotli": () => longPage({ "accept-encoding": "br" }),
  "a long page as gzip": () => longPage({ "accept-encoding": "gzip" }),
  "a long page, with an Accept-Encoding of thousands of items": () =>
    longPage({ "accept-encoding": fill("br;q=0.1,", 15_000) }),
  "the OpenAPI document, with thousands of ETags": () => ({
    path: "/openapi.json",
    headers: { "if-none-match": fill('W/"a",', 12_000), "accept-encoding": "br" },
    answers: [200],
  }),
  "an address that is not there": () => ({ path: `/${fill("a/")}`, answers: [404] }),
  "an address of escapes that are not there": () => ({ path: `/docs/${fill("%C3%A4")}`, answers: [404, 503] }),
  "a method that is not there": () => ({ ...list("country=US"), method: "POST", answers: [405] }),
  "a preflight for thousands of headers": () => ({
    ...list("country=US"),
    method: "OPTIONS",
    headers: {
      origin: "https://example.com",
      "access-control-request-method": "GET",
      "access-control-request-headers": fill("x-a,", 12_000),
    },
    answers: [204],
  }),
  "whether it is ready": () => ({ path: "/health/ready", answers: [200] }),
};
