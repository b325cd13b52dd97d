import { expect, test } from "vitest";
import { unnamedText, withRunning } from "./addresses.ts";

const RUNNING = {
  pid: 1,
  elasticsearchUrl: "http://127.0.0.1:1",
  redisUrl: "redis://127.0.0.1:2",
  now: "2013-10-31T12:00:00Z",
};

test("addresses and clock of a running start take the place of those not given", () => {
  expect(withRunning({}, RUNNING)).toEqual({
    ELASTICSEARCH_URL: "http://127.0.0.1:1",
    REDIS_URL: "redis://127.0.0.1:2",
    TRANCHE_NOW: "2013-10-31T12:00:00Z",
  });
  expect(withRunning({ TRANCHE_NOW: "2020-01-01T00:00:00Z", REDIS_URL: "redis://r" }, RUNNING)).toMatchObject({
    ELASTICSEARCH_URL: "http://127.0.0.1:1",
    REDIS_URL: "redis://r",
    TRANCHE_NOW: "2020-01-01T00:00:00Z",
  });
});

test("links point to the API and the dashboard of the running start", () => {
  const running = { ...RUNNING, apiUrl: "http://127.0.0.1:4400", dashboardUrl: "http://127.0.0.1:4402/dashboard" };
  expect(withRunning({}, running)).toMatchObject({
    TRANCHE_API_URL: "http://127.0.0.1:4400",
    TRANCHE_DASHBOARD_URL: "http://127.0.0.1:4402/dashboard",
  });
  expect(withRunning({ TRANCHE_API_URL: "http://api" }, running)).toMatchObject({ TRANCHE_API_URL: "http://api" });
});

test("commands are about the namespace of the running start, unless another one is given", () => {
  const running = { ...RUNNING, namespace: "deals" };
  expect(withRunning({}, running)).toMatchObject({ TRANCHE_NAMESPACE: "deals" });
  expect(withRunning({ TRANCHE_NAMESPACE: "other" }, running)).toMatchObject({ TRANCHE_NAMESPACE: "other" });
});

test("where both are given, or nothing runs, nothing changes: not the clock either", () => {
  const given = { ELASTICSEARCH_URL: "http://e", REDIS_URL: "redis://r" };
  expect(withRunning(given, RUNNING)).toEqual(given);
  expect(withRunning({}, undefined)).toEqual({});
});

test("a home that is given is the one that is meant: where nothing runs in it, no other address is tried", () => {
  expect(() => withRunning({ TRANCHE_HOME: "/srv/tranche" }, undefined)).toThrow("No npm start runs in /srv/tranche.");
  expect(() => withRunning({ TRANCHE_HOME: "/srv/tranche", REDIS_URL: "redis://r" }, undefined)).toThrow(
    "/srv/tranche",
  );
  const given = { TRANCHE_HOME: "/srv/tranche", ELASTICSEARCH_URL: "http://e" };
  expect(withRunning(given, undefined)).toEqual(given);
});

test("where nothing names the engines, a wait says which home has no start", () => {
  expect(unnamedText({}, undefined, "/p/.tranche")).toMatch(/^No npm start runs in \/p\/\.tranche, so the default/);
  expect(unnamedText({}, RUNNING, "/p/.tranche")).toBeUndefined();
  for (const name of ["ELASTICSEARCH_URL", "ELASTICSEARCH_URL_FILE"])
    expect(unnamedText({ [name]: "http://e" }, undefined, "/p/.tranche")).toBeUndefined();
});
