import { expect, test } from "vitest";
import { childEnvironment } from "./child-environment.ts";

test("the processes get engines and ports, but not the operators' token, which one of them alone has", () => {
  const environment = { TRANCHE_OPERATOR_TOKEN: "secret", TRANCHE_WEBHOOK_KEY: "key", TRANCHE_CACHE: "off" };
  const made = childEnvironment(environment, {
    settings: { HOST: "127.0.0.1" },
    engines: { elasticsearchUrl: "http://127.0.0.1:9200", redisUrl: "redis://127.0.0.1:6379" },
    ports: { api: 1, operator: 2, dashboard: 3 },
    apiUrl: "http://127.0.0.1:1",
    dashboardUrl: "http://127.0.0.1:3/dashboard",
    home: "/nowhere",
    now: undefined,
  });
  expect(made).toMatchObject({ PORT: "1", TRANCHE_OPERATOR_PORT: "2", TRANCHE_CACHE: "off" });
  expect(JSON.stringify(made)).not.toContain("secret");
});
