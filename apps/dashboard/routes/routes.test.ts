import { ALL_OPERATIONS } from "@tranche/operations/accounts/operations";
import { expect, test } from "vitest";
import { assertOwnSession } from "../sessions/rights.ts";
import type { DashboardParts } from "./parts.ts";
import { openRequest, request, withNeeds } from "./requests.ts";
import { dashboardRequests } from "./routes.ts";

/** The table calls its parts only while it is made. */
const parts = new Proxy({}, { get: () => () => ({}) }) as DashboardParts;
const requests = withNeeds(dashboardRequests(parts));
const routes = Object.keys(requests);

test("keys and members have the requests of the table of operations, and no others", () => {
  const inTable = ALL_OPERATIONS.flatMap(([, { members }]) => members?.route ?? []);
  const groups = new Set(inTable.map((route) => route.split("/")[1]));
  // Requests about follows are not operations on members.
  const own = routes.filter((route) => groups.has(route.split("/")[1]) && !route.includes("/members/follows"));
  expect(own.toSorted()).toEqual(inTable.toSorted());
});

test("a request needs what it says, or what the row of its operation says, and without either nothing starts", () => {
  const answer = async () => {};
  const of = (table: Parameters<typeof withNeeds>[0]) => Object.values(withNeeds(table))[0];
  expect(of({ "POST /keys": request({}, answer) })).toMatchObject({
    role: "developer",
    status: 201,
    needsActive: true,
  });
  expect(of({ "GET /tea": request({ role: "viewer" }, answer) })).toMatchObject({ role: "viewer" });
  expect(of({ "GET /tea": openRequest({}, answer) })).toMatchObject({ role: null });
  expect(() => of({ "PUT /keys": request({}, answer) })).toThrow("no role for PUT /keys");
});

test("only signing in, invitations and unsubscribing need no session", () => {
  const open = routes.filter((route) => requests[route]!.role === null);
  expect(open.toSorted()).toEqual([
    "GET /sign-in",
    "POST /invitations/accept",
    "POST /invitations/look",
    "POST /sign-in/email",
    "POST /sign-in/link",
    "POST /sign-in/look",
    "POST /unsubscribe",
    "POST /unsubscribe/look",
  ]);
});

test("a member alone leaves, ends sessions and follows", () => {
  const own = routes.filter((route) => requests[route]!.ownSession);
  expect(own.toSorted()).toEqual([
    "DELETE /follows/:id",
    "DELETE /sessions/:id",
    "POST /follows",
    "POST /follows/slack",
    "POST /members/leave",
    "POST /sign-out-everywhere",
    "PUT /follows/:id",
  ]);
});

test("members of a suspended account take away, pause and ask, but create nothing", () => {
  const allowed = routes.filter((route) => {
    const { role, needsActive } = requests[route]!;
    return !route.startsWith("GET ") && role !== null && !needsActive;
  });
  expect(allowed.toSorted()).toEqual([
    "DELETE /applications/:id",
    "DELETE /follows/:id",
    "DELETE /searches/:id",
    "DELETE /sessions/:id",
    "DELETE /webhooks/:id",
    "POST /feeds/:id/revoke",
    "POST /keys/:id/revoke",
    "POST /members/follows/end",
    "POST /members/leave",
    "POST /members/remove",
    "POST /members/role",
    // Refusing an application needs no active account.
    "POST /oauth/decide",
    "POST /oauth/look",
    "POST /sign-out",
    "POST /sign-out-everywhere",
    "POST /webhooks/:id/pause",
  ]);
});

test("a session by somebody else's link is not its member's own", () => {
  const [member, stamp] = ["bob@example.com", "s"];
  const by = (maker?: { email: string; stamp: string }) => () => assertOwnSession({ member, by: maker });
  expect(by({ email: "eve@example.com", stamp })).toThrow("This session began with a link of eve@example.com.");
  expect(by({ email: member, stamp })).not.toThrow();
  expect(by()).not.toThrow();
});
