import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

type Container = {
  mem_limit?: string;
  pids_limit?: number;
  logging?: { options: Record<string, string> };
  environment?: Record<string, string>;
  command?: string[];
  volumes?: string[];
};
const file = readFileSync(new URL("../../docker-compose.yml", import.meta.url), "utf8");
const { services } = parse(file, { merge: true }) as { services: Record<string, Container> };

test.for(Object.entries(services))("%s has limits", ([, { mem_limit, pids_limit, logging }]) => {
  expect(logging?.options).toEqual({ "max-size": "20m", "max-file": "5" });
  expect(mem_limit).toMatch(/^\$\{TRANCHE_(ENGINE_)?MEMORY_LIMIT:-\d+g\}$/);
  expect(pids_limit).toBeGreaterThan(0);
});

test("Grafana has no password that is known, and starts only with one", () => {
  const { environment, command } = services["grafana"]!;
  expect(environment!["GF_SECURITY_ADMIN_PASSWORD"]).toBe("${TRANCHE_GRAFANA_PASSWORD:-}");
  expect(command![0]).toMatch(/^\[ -n "\$\$GF_SECURITY_ADMIN_PASSWORD" \] \|\| .*exit 1/);
});

test("Elasticsearch stops taking writes before the disk is full, and the API does not fork by the cores of the machine", () => {
  const { elasticsearch, api } = services;
  expect(elasticsearch!.environment!["cluster.routing.allocation.disk.threshold_enabled"]).toBe(
    "${TRANCHE_DISK_WATERMARKS:-true}",
  );
  expect(api!.environment!["TRANCHE_API_PROCESSES"]).toBe("${TRANCHE_API_PROCESSES:-2}");
});

test("each process has its own secrets only, and `ops` a folder for backups", () => {
  const SECRETS = ["TRANCHE_OPERATOR_TOKEN_FILE", "TRANCHE_WEBHOOK_KEY", "TRANCHE_SMTP_URL"];
  const secretsOf = (name: string) => SECRETS.filter((secret) => secret in services[name]!.environment!);
  expect(
    Object.fromEntries(["api", "indexer", "operators", "dashboard", "ops"].map((name) => [name, secretsOf(name)])),
  ).toEqual({
    api: [],
    indexer: ["TRANCHE_WEBHOOK_KEY"],
    operators: ["TRANCHE_OPERATOR_TOKEN_FILE"],
    dashboard: ["TRANCHE_WEBHOOK_KEY", "TRANCHE_SMTP_URL"],
    ops: ["TRANCHE_WEBHOOK_KEY"],
  });
  const withToken = Object.keys(services).filter((name) => String(services[name]!.volumes).includes("token:"));
  expect(withToken).toEqual(["token", "operators"]);
  expect(services["ops"]!.volumes).toContain("${TRANCHE_BACKUP_FOLDER:-backups}:/backups");
});

test("nothing has to be set", () => {
  expect(file).not.toMatch(/\$\{\w+:?\?/);
});
