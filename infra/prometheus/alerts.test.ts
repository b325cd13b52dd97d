import { readFileSync } from "node:fs";
import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../apps/api/serve/metrics.ts";
import { createDashboardMetrics } from "../../apps/dashboard/metrics/metrics.ts";
import { createIndexerMetrics } from "../../apps/indexer/health/metrics.ts";

type Rules = {
  groups: {
    rules: { alert: string; expr: string; for: string; labels: object; annotations: Record<string, string> }[];
  }[];
};
type Dashboard = { panels: { title: string; targets: { expr: string }[] }[] };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const alerts = (parse(read("infra/prometheus/alerts.yaml")) as Rules).groups.flatMap(({ rules }) => rules);
const { panels } = JSON.parse(read("infra/grafana/tranche.json")) as Dashboard;
const runbook = read("docs/runbook.md");

/** The names of all series that a registry exports, those of histograms with their endings. */
async function seriesOf(registry: Registry): Promise<string[]> {
  const text = await registry.metrics();
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name, type]) =>
    type === "histogram" ? ["_bucket", "_sum", "_count"].map((ending) => `${name}${ending}`) : [name!],
  );
}

const installation = new Registry();
createInstallationGauges(installation);
const ofProcesses = [
  createMetrics("ns"),
  createIndexerMetrics({ namespace: "ns", isHeld: () => false, leads: () => true }),
  createDashboardMetrics("ns"),
];
const registries = [installation, ...ofProcesses.map(({ registry }) => registry)];
const exported = new Set((await Promise.all(registries.map(seriesOf))).flat());
/** The label of every metric that says which installation it belongs to. */
const LABEL = "tranche_namespace";
const named = (expr: string) => (expr.match(/\btranche_[a-z0-9_]+/g) ?? []).filter((name) => name !== LABEL);

test.each(alerts)("alert $alert names metrics that exist", ({ expr }) => {
  // `up` is Prometheus' own.
  expect(named(expr).length > 0 || /\bup\{job=/.test(expr)).toBe(true);
  expect(named(expr).filter((name) => !exported.has(name))).toEqual([]);
});

test.each(alerts)("alert $alert tells installations apart", ({ expr }) => {
  for (const [, by] of expr.matchAll(/\b(?:sum|max|min|group)\b( by \([^)]*\))?/g)) expect(by).toContain("namespace");
});

test("every metric of a process carries the namespace", async () => {
  for (const { registry } of ofProcesses) {
    const samples = (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(samples.filter((line) => !line.includes(`${LABEL}="ns"`))).toEqual([]);
  }
});

test.each(panels)("panel '$title' names metrics that exist", ({ targets }) => {
  for (const { expr } of targets) {
    expect(named(expr).length, expr).toBeGreaterThan(0);
    expect(named(expr).filter((name) => !exported.has(name))).toEqual([]);
  }
});

test.each(alerts)("alert $alert has an entry in the runbook, and leads to it", ({ alert, annotations, ...rule }) => {
  const entry = runbook.split(/^## /m).find((text) => text.startsWith(`${alert}\n`));
  for (const part of ["**Means.**", "**Check.**", "**Do.**"]) expect(entry).toContain(part);
  expect(annotations).toEqual({ summary: expect.any(String), runbook: `docs/runbook.md#${alert.toLowerCase()}` });
  expect(rule).toMatchObject({ for: expect.stringMatching(/^\d+m$/), labels: { severity: expect.any(String) } });
});

test("the runbook has no entry without an alert", () => {
  const entries = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(entries).toEqual(alerts.map(({ alert }) => alert));
});
