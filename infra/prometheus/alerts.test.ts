import { readFileSync } from "node:fs";
import { createInstallationGauges } from "@tranche/operations/metrics/gauges";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { createMetrics } from "../../apps/api/serve/metrics.ts";
import { createDashboardMetrics } from "../../apps/dashboard/metrics.ts";
import { createIndexerMetrics } from "../../apps/indexer/health/metrics.ts";

type Rules = {
  groups: {
    rules: { alert: string; expr: string; for: string; labels: object; annotations: Record<string, string> }[];
  }[];
};
type Panel = { title: string; type: string; targets?: { expr: string }[] };
type Dashboard = { panels: Panel[]; templating: { list: { name: string }[] } };
type Cases = { tests: { alert_rule_test: { alertname: string; exp_alerts: object[] }[] }[] };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const alerts = (parse(read("infra/prometheus/alerts.yaml")) as Rules).groups.flatMap(({ rules }) => rules);
const { panels, templating } = JSON.parse(read("infra/grafana/tranche.json")) as Dashboard;
const plotted = panels.filter(({ type }) => type !== "row");
const { tests: cases } = parse(read("infra/prometheus/alerts.cases.yaml")) as Cases;
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
const named = (expr: string) =>
  (expr.match(/\b(?:tranche|process|nodejs)_[a-z0-9_]+/g) ?? []).filter((name) => name !== LABEL);

test.each(alerts)("alert $alert names metrics that exist", ({ expr }) => {
  // `up` is Prometheus' own.
  expect(named(expr).length > 0 || /\bup\{job=/.test(expr)).toBe(true);
  expect(named(expr).filter((name) => !exported.has(name))).toEqual([]);
});

test.each(alerts)("alert $alert tells installations apart", ({ expr }) => {
  for (const [, by] of expr.matchAll(/\b(?:sum|max|min|group)\b( by \([^)]*\))?/g)) expect(by).toContain("namespace");
});

test("the dashboard has its rows and variables", () => {
  const rows = panels.filter(({ type }) => type === "row").map(({ title }) => title);
  expect(rows).toEqual(["Is it healthy?", "Callers", "Ingest", "Engines", "Webhooks and mail", "Processes"]);
  expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "namespace", "installation"]);
});

test("every metric of a process carries the namespace", async () => {
  for (const { registry } of ofProcesses) {
    const samples = (await registry.metrics()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
    expect(samples.filter((line) => !line.includes(`${LABEL}="ns"`))).toEqual([]);
  }
});

test.each(alerts)("alert $alert has a case in which it fires", ({ alert }) => {
  const fires = cases.flatMap((each) => each.alert_rule_test).filter(({ exp_alerts }) => exp_alerts.length > 0);
  expect(fires.map(({ alertname }) => alertname)).toContain(alert);
});

test.each(plotted)("panel '$title' names metrics that exist, of the chosen installation", ({ targets }) => {
  for (const { expr } of targets!) {
    expect(named(expr).length, expr).toBeGreaterThan(0);
    for (const name of named(expr)) expect(expr).toContain(`${name}{namespace=~"$namespace",${LABEL}=~"$installation"`);
    expect(named(expr).filter((name) => !exported.has(name))).toEqual([]);
  }
});

test.each(alerts)("alert $alert has an entry in the runbook, and leads to it", ({ alert, annotations, ...rule }) => {
  const entry = runbook.split(/^## /m).find((text) => text.startsWith(`${alert}\n`));
  for (const part of ["**Means.**", "**Check.**", "**Do.**"]) expect(entry).toContain(part);
  expect(annotations).toEqual({ summary: expect.any(String), runbook_url: `docs/runbook.md#${alert.toLowerCase()}` });
  expect(rule).toMatchObject({ for: expect.stringMatching(/^\d+m$/), labels: { severity: expect.any(String) } });
});

test("the runbook has no entry without an alert", () => {
  const entries = [...runbook.matchAll(/^## (.+)$/gm)].map(([, title]) => title);
  expect(entries).toEqual(alerts.map(({ alert }) => alert));
});
