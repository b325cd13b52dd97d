import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test, type TestContext } from "vitest";
import { parseAllDocuments } from "yaml";
import { leaveOut } from "./leave-out.ts";

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL("../../infra/kubernetes", import.meta.url));
const INSTALL_MS = 120_000;
/** Shorter, so that a registry that does not answer leaves these tests out instead of failing them. */
const DOWNLOAD_MS = 90_000;
const VERSIONS = ["1.36", "1.37"];
const tools = mkdtempSync(join(tmpdir(), "tranche-kubernetes-"));
afterAll(() => rmSync(tools, { recursive: true }));

type Manifest = { kind: string; metadata: { name: string; namespace?: string } };

const missing: Record<string, unknown> = {};
beforeAll(async () => {
  for (const [tool, args] of Object.entries({ kubectl: ["version", "--client"], helm: ["version"] }))
    await run(tool, args).catch((error: unknown) => (missing[tool] = error));
});
const needs = (context: TestContext, ...names: string[]) => {
  for (const tool of names) if (missing[tool]) leaveOut(context, `Kubernetes (no ${tool})`, missing[tool]);
};

const kustomized = async (folder: string): Promise<string> =>
  (await run("kubectl", ["kustomize", join(FOLDER, folder)])).stdout;
const helm = (...args: string[]) =>
  run("helm", ["template", "tranche", FOLDER, "--namespace", "tranche", ...args]).then(
    ({ stdout }) => stdout,
    (error: { stderr: string }) => Promise.reject(new Error(error.stderr)),
  );
const EXAMPLE = ["--values", join(FOLDER, "example/values.yaml")];
const parsed = (text: string) => parseAllDocuments(text).flatMap((document) => (document.toJS() ?? []) as Manifest);

/** Objects by kind and name, without what only one of the two ways has. */
function comparable(text: string): Record<string, unknown> {
  const plain = text
    // kustomize ends the names of the ConfigMap with a hash of its content; the chart has it as an annotation.
    .replaceAll(/(name: tranche-settings)-[a-z0-9]{10}$/gm, "$1")
    .replaceAll(/^ +annotations:\n +checksum\/settings: .*\n/gm, "");
  const objects = parsed(plain).filter(({ kind }) => kind !== "Namespace" && kind !== "Secret");
  for (const { metadata } of objects) delete metadata.namespace;
  return Object.fromEntries(objects.map((object) => [`${object.kind} ${object.metadata.name}`, object]));
}

describe("the manifests", () => {
  const python = join(tools, "python");
  beforeAll(async () => {
    await run("python3", ["-m", "venv", python])
      .then(() =>
        run(join(python, "bin/pip"), ["install", "--quiet", "kubernetes-validate==1.37.0"], { timeout: DOWNLOAD_MS }),
      )
      .catch((error: unknown) => (missing["schemas"] = error));
  }, INSTALL_MS);

  test.for(VERSIONS.flatMap((version) => ["base", "example"].map((folder) => [folder, version] as const)))(
    "of %s fit the schemas of Kubernetes %s",
    { timeout: INSTALL_MS },
    async ([folder, version], context) => {
      needs(context, "schemas", "kubectl");
      const file = join(tools, `${folder}-${version}.yaml`);
      const text = await kustomized(folder);
      writeFileSync(file, text);
      const checked = await run(join(python, "bin/kubernetes-validate"), ["--strict", "-k", version, file]);
      const report = `${checked.stdout}${checked.stderr}`;
      const own = parsed(text).filter(({ kind }) => !["PodMonitor", "PrometheusRule", "ScaledObject"].includes(kind));
      for (const { kind, metadata } of own)
        expect(report).toContain(`passed for resource ${kind.toLowerCase()}/${metadata.name}`);
    },
  );
});

describe("the objects of the Prometheus Operator and of KEDA", () => {
  const checker = join(tools, "models");
  beforeAll(async () => {
    const models = ["@kubernetes-models/prometheus-operator@6.0.0", "@kubernetes-models/keda@2.0.0"];
    await run("npm", ["install", "--prefix", checker, "--no-save", "--ignore-scripts", ...models], {
      timeout: DOWNLOAD_MS,
    }).catch((error: unknown) => (missing["models"] = error));
  }, INSTALL_MS);

  const KINDS = {
    PodMonitor: "prometheus-operator/monitoring.coreos.com/v1",
    PrometheusRule: "prometheus-operator/monitoring.coreos.com/v1",
    ScaledObject: "keda/keda.sh/v1alpha1",
  };
  /** Compiles the object as a literal of its type, in which TypeScript accepts no member that the type lacks. */
  const fits = async (kind: string, path: string, object: object) => {
    const file = join(checker, `${kind}.ts`);
    const text = `import type { I${kind} } from "@kubernetes-models/${path}";\nexport const object: I${kind} = `;
    writeFileSync(file, `${text}${JSON.stringify(object)};\n`);
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2024"];
    return run("npx", ["tsc", ...options, "--ignoreConfig", file]).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );
  };

  test.for(Object.entries(KINDS))(
    "%s has the type that it should",
    { timeout: INSTALL_MS },
    async ([kind, path], context) => {
      needs(context, "models", "kubectl");
      const object = parsed(await kustomized("example")).find((manifest) => manifest.kind === kind)!;
      expect(await fits(kind, path, object)).toBe("");
      expect(await fits(kind, path, { ...object, speck: {} })).toContain("'\"speck\"' does not exist in type");
    },
  );
});

describe("the chart", () => {
  test("gives the same objects as the overlay beside it", async (context) => {
    needs(context, "helm", "kubectl");
    const [chart, overlay] = [comparable(await helm(...EXAMPLE)), comparable(await kustomized("example"))];
    expect(Object.keys(chart).toSorted()).toEqual(Object.keys(overlay).toSorted());
    for (const [name, object] of Object.entries(overlay)) expect(chart[name], name).toEqual(object);
  });

  test("takes what values.yaml offers", async (context) => {
    needs(context, "helm");
    const values = join(tools, "values.json");
    const given = {
      image: { repository: "r/t", tag: "9" },
      settings: { TRANCHE_NAMESPACE: "eu", ELASTICSEARCH_API_KEY_FILE: "" },
      podSpec: { imagePullSecrets: [{ name: "pull" }] },
      processes: {
        api: { tag: "8", resources: { limits: { memory: "3Gi" } }, podSpec: { nodeSelector: { disk: "fast" } } },
        dashboard: { replicas: 3, env: { TRANCHE_SHUTDOWN_DELAY_SECONDS: "7" } },
      },
      queueAutoscaling: { enabled: true, maxReplicas: 6, prometheusUrl: "http://p:9090" },
      backups: { keep: 3, storageClassName: "slow" },
      verification: { enabled: false },
      monitoring: { enabled: true, labels: { release: "prom" }, runbookPrefix: "https://x.example/" },
      ingress: { enabled: true, className: "traefik", apiHost: "a.example" },
      engines: { peers: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [443] },
    };
    writeFileSync(values, JSON.stringify(given));
    const objects = comparable(await helm("--values", values));
    const pod = (spec: object) => ({ spec: { template: { spec } } });
    expect(objects).toMatchObject({
      "ConfigMap tranche-settings": { data: { TRANCHE_NAMESPACE: "eu", ELASTICSEARCH_API_KEY_FILE: "" } },
      "Deployment tranche-api": pod({
        imagePullSecrets: [{ name: "pull" }],
        nodeSelector: { disk: "fast" },
        containers: [{ image: "r/t:8", resources: { limits: { memory: "3Gi" } } }],
      }),
      "Deployment tranche-indexer": pod({ containers: [{ image: "r/t:9" }] }),
      "Deployment tranche-dashboard": { spec: { replicas: 3 } },
      "ScaledObject tranche-indexer": {
        spec: {
          maxReplicaCount: 6,
          triggers: [
            {
              metadata: {
                serverAddress: "http://p:9090",
                query: 'max(min_over_time(tranche_oldest_job_seconds{namespace="tranche",tranche_namespace="eu"}[2m]))',
              },
            },
          ],
        },
      },
      "CronJob tranche-backup": {
        spec: { jobTemplate: pod({ containers: [{ args: ["ops", "backup", "--keep", "3", "/backups"] }] }) },
      },
      "PersistentVolumeClaim tranche-backups": { spec: { storageClassName: "slow" } },
      "CronJob tranche-verify": { spec: { suspend: true } },
      "PodMonitor tranche": { metadata: { labels: { release: "prom" } } },
      "Ingress tranche": { spec: { ingressClassName: "traefik", rules: [{ host: "a.example" }, {}] } },
      "NetworkPolicy tranche-engines": {
        spec: { egress: [{}, { to: [{ ipBlock: { cidr: "10.1.0.0/16" } }], ports: [{ port: 443 }] }] },
      },
    });
    const [dashboard, rules] = ["Deployment tranche-dashboard", "PrometheusRule tranche"].map((name) => objects[name]);
    const { env } = (dashboard as { spec: { template: { spec: { containers: { env: { name: string }[] }[] } } } }).spec
      .template.spec.containers[0]!;
    expect(env.filter(({ name }) => name === "TRANCHE_SHUTDOWN_DELAY_SECONDS")).toEqual([
      { name: "TRANCHE_SHUTDOWN_DELAY_SECONDS", value: "7" },
    ]);
    expect(JSON.stringify(rules)).toContain('"https://x.example/docs/runbook.md#trancheapidown"');
  });

  test.for([
    ["image.repository is empty: name the repository of your image", []],
    ["additional properties 'imagee' not allowed", [...EXAMPLE, "--set", "imagee.tag=1"]],
    ["additional properties 'TRANCHE_SHARD' not allowed", [...EXAMPLE, "--set-string", "settings.TRANCHE_SHARD=1"]],
    ["additional properties 'REDIS_URL' not allowed", [...EXAMPLE, "--set", "settings.REDIS_URL=redis://u:p@h"]],
    ["got number, want string", [...EXAMPLE, "--set", "settings.TRANCHE_SHARDS=2"]],
    ["additional properties 'apl' not allowed", [...EXAMPLE, "--set", "processes.apl.replicas=2"]],
    ["at '/backups/keep': minimum: got 0, want 1", [...EXAMPLE, "--set", "backups.keep=0"]],
    ["at '/backups/schedule'", [...EXAMPLE, "--set", "backups.schedule=nightly"]],
  ] as const)("says '%s'", async ([text, args], context) => {
    needs(context, "helm");
    await expect(helm(...args)).rejects.toThrow(text);
  });
});

describe("a changed setting replaces the pods that use it", () => {
  const podsOf = (text: string) =>
    parsed(text).flatMap((object) => (object.kind === "Deployment" ? [JSON.stringify(object)] : []));

  test("with kustomize", async (context) => {
    needs(context, "kubectl");
    const copy = join(tools, "changed");
    cpSync(join(FOLDER, "base"), copy, { recursive: true });
    const settings = join(copy, "settings.env");
    writeFileSync(settings, readFileSync(settings, "utf8").replace("TRANCHE_REPLICAS=1", "TRANCHE_REPLICAS=2"));
    const changed = execFileSync("kubectl", ["kustomize", copy], { encoding: "utf8" });
    expect(podsOf(await kustomized("base")).filter((pod) => podsOf(changed).includes(pod))).toEqual([]);
  });

  test("with the chart", async (context) => {
    needs(context, "helm");
    const changed = podsOf(await helm(...EXAMPLE, "--set-string", "settings.TRANCHE_REPLICAS=2"));
    const before = podsOf(await helm(...EXAMPLE));
    expect(before).not.toHaveLength(0);
    expect(before.filter((pod) => changed.includes(pod))).toEqual([]);
  });
});
