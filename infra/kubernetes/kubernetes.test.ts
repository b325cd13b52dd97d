import { globSync, readFileSync } from "node:fs";
import { SETTINGS } from "@tranche/shared/process/setting-rows";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { prometheusRule } from "./alert-rules.ts";
import { withSettings } from "./values-schema.ts";

type Pod = {
  metadata: { labels: Record<string, string> };
  spec: {
    serviceAccountName: string;
    automountServiceAccountToken: boolean;
    securityContext: object;
    containers: { securityContext: object; resources: { limits: Record<string, string> } }[];
    volumes: { secret?: { secretName: string } }[];
  };
};
type Manifest = {
  kind: string;
  metadata: { name: string };
  spec: { template?: Pod; jobTemplate?: { spec: { template: Pod } } };
};

const folder = new URL("./", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, folder), "utf8");
const manifestsOf = (file: string) => parseAllDocuments(read(file)).map((document) => document.toJS() as Manifest);
const manifests = globSync(["base/*.yaml", "components/*/*.yaml"], { cwd: folder })
  .filter((file) => !file.endsWith("kustomization.yaml"))
  .flatMap(manifestsOf);
const pods = manifests.flatMap(({ kind, metadata, spec }) => {
  const pod = kind === "CronJob" ? spec.jobTemplate?.spec.template : spec?.template;
  return pod ? [{ name: `${kind} ${metadata.name}`, pod }] : [];
});
const namesOf = (kind: string, list = manifests) =>
  list.filter((manifest) => manifest.kind === kind).map(({ metadata }) => metadata.name);

describe("generated files are as they are made: `npm run docs` brings them up to date", () => {
  test("values.schema.json has the settings", () => {
    expect(read("values.schema.json")).toBe(withSettings(read("values.schema.json")));
  });

  test("the component `monitoring` has the alerts", () => {
    const alerts = read("../prometheus/alerts.yaml");
    const rule = read("components/monitoring/rules.yaml");
    expect(rule).toBe(prometheusRule(alerts));
    expect(parse(rule)).toMatchObject({ kind: "PrometheusRule", spec: parse(alerts) as object });
  });
});

test("the chart and the overlay are of the project's version", () => {
  const { version } = JSON.parse(read("../../package.json")) as { version: string };
  expect(parse(read("Chart.yaml"))).toMatchObject({ version, appVersion: version });
  expect(parse(read("example/kustomization.yaml"))).toMatchObject({ images: [{ newTag: version }] });
});

test("settings.env has settings that exist", () => {
  const lines = read("base/settings.env").split("\n");
  const names = lines.filter((line) => /^\w/.test(line)).map((line) => line.split("=")[0]!.replace(/_FILE$/, ""));
  expect(names.filter((name) => !(name in SETTINGS))).toEqual([]);
  expect(names.length).toBeGreaterThan(2);
});

describe.each(pods)("$name", ({ pod: { metadata, spec } }) => {
  test("has no more rights than it needs", () => {
    expect(spec).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const { securityContext, resources } of spec.containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
      expect(Object.keys(resources.limits).toSorted()).toEqual(["ephemeral-storage", "memory"]);
    }
  });

  test("has its account and its Secret, and the policies apply to it", () => {
    expect(namesOf("ServiceAccount")).toContain(spec.serviceAccountName);
    expect(spec.volumes[0]!.secret!.secretName).toBe(spec.serviceAccountName);
    expect(namesOf("Secret", manifestsOf("example/secrets.yaml"))).toContain(spec.serviceAccountName);
    expect(metadata.labels["app.kubernetes.io/part-of"]).toBe("tranche");
  });
});
