import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

type Container = { mem_limit?: string; pids_limit?: number; environment?: Record<string, string>; command?: string[] };
const file = readFileSync(new URL("../../docker-compose.yml", import.meta.url), "utf8");
const { services } = parse(file, { merge: true }) as { services: Record<string, Container> };

test.for(Object.entries(services))("%s has limits of memory and processes", ([, { mem_limit, pids_limit }]) => {
  expect(mem_limit).toMatch(/^\$\{TRANCHE_(ENGINE_)?MEMORY_LIMIT:-\d+g\}$/);
  expect(pids_limit).toBeGreaterThan(0);
});

test("Grafana has no password that is known, and starts only with one", () => {
  const { environment, command } = services["grafana"]!;
  expect(environment!["GF_SECURITY_ADMIN_PASSWORD"]).toBe("${TRANCHE_GRAFANA_PASSWORD:-}");
  expect(command![0]).toMatch(/^\[ -n "\$\$GF_SECURITY_ADMIN_PASSWORD" \] \|\| .*exit 1/);
});

test("nothing has to be set", () => {
  expect(file).not.toMatch(/\$\{\w+:?\?/);
});
