import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import { expect, test } from "vitest";
import { assertOwnSession, NEEDED_ROLES, neededRole, OWN_SESSION_ONLY, PAGES_API } from "../sessions/needed-roles.ts";
import type { DashboardParts } from "./parts.ts";
import { createRouter } from "./routes.ts";

/** Routes only call their parts while they are added. */
const parts = new Proxy({}, { get: () => () => ({}) }) as DashboardParts;
const routes = createRouter(parts).stack.flatMap(({ methods, path }) =>
  methods.filter((method) => method !== "HEAD").map((method) => `${method} ${String(path).replace(PAGES_API, "")}`),
);

test("every route has a row that says which role it needs, and every row a route", () => {
  expect(routes.toSorted()).toEqual(Object.keys(NEEDED_ROLES).toSorted());
});

test("keys and members have the requests of the table of operations, and no others", () => {
  const inTable = ALL_OPERATIONS.flatMap(([, { members }]) => members?.route ?? []);
  const groups = new Set(inTable.map((route) => route.split("/")[1]));
  expect(routes.filter((route) => groups.has(route.split("/")[1])).toSorted()).toEqual(inTable.toSorted());
});

test("a request without a row is refused, and so is a session for what needs none", () => {
  expect(neededRole("HEAD", `${PAGES_API}/keys`)).toBe("developer");
  expect(() => neededRole("PUT", `${PAGES_API}/keys`)).toThrow("no role for PUT /keys");
  expect(() => neededRole("GET", "undefined")).toThrow("no role");
  expect(() => neededRole("POST", `${PAGES_API}/sign-in/link`)).toThrow("no role");
});

test("a session by somebody else's link is refused what its member alone decides, and nothing else", () => {
  expect(Object.keys(NEEDED_ROLES)).toEqual(expect.arrayContaining([...OWN_SESSION_ONLY]));
  const [member, stamp] = ["bob@example.com", "s"];
  const leaveAs = (by?: { email: string; stamp: string }) => () =>
    assertOwnSession({ member, by }, "POST", `${PAGES_API}/members/leave`);
  expect(leaveAs({ email: "eve@example.com", stamp })).toThrow("This session began with a link of eve@example.com.");
  expect(leaveAs({ email: member, stamp })).not.toThrow();
  expect(leaveAs()).not.toThrow();
  const eves = { member, by: { email: "eve@example.com", stamp } };
  expect(() => assertOwnSession(eves, "GET", `${PAGES_API}/members`)).not.toThrow();
});
