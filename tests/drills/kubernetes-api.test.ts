import { type ChildProcess, execFile, spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, type TestContext, test as each } from "vitest";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { leaveOut } from "./leave-out.ts";

/** An API server of Kubernetes with its etcd: it validates, admits and stores objects. Nothing runs their pods. */
const run = promisify(execFile);
const INFRA = fileURLToPath(new URL("../../infra/kubernetes", import.meta.url));
const START_MS = 120_000;
const folder = mkdtempSync(join(tmpdir(), "tranche-kubernetes-api-"));
const env = { ...process.env, KUBECONFIG: join(folder, "config") };
const children: ChildProcess[] = [];
let missing: unknown;

const NEEDED = {
  kubectl: ["version", "--client"],
  helm: ["version"],
  etcd: ["--version"],
  "kube-apiserver": ["--version"],
};
/** Kinds of operators that no cluster has by itself. Their fields are checked by the drill `kubernetes`. */
const FOREIGN = [
  ["monitoring.coreos.com", "v1", "PodMonitor"],
  ["monitoring.coreos.com", "v1", "PrometheusRule"],
  ["keda.sh", "v1alpha1", "ScaledObject"],
] as const;

beforeAll(async () => {
  for (const [tool, args] of Object.entries(NEEDED))
    await run(tool, args).catch((error: unknown) => (missing ??= error));
  if (!missing) await startServer();
}, START_MS);

afterAll(async () => {
  for (const child of children.toReversed()) {
    if (child.exitCode !== null) continue;
    child.kill("SIGTERM");
    await once(child, "exit");
  }
  rmSync(folder, { recursive: true });
});

async function startServer(): Promise<void> {
  const [etcd, peers, api] = (await freePorts(3)) as [number, number, number];
  const store = `http://127.0.0.1:${etcd}`;
  const key = join(folder, "accounts.key");
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(key, privateKey.export({ type: "pkcs1", format: "pem" }));
  writeFileSync(join(folder, "tokens.csv"), "token,admin,1,system:masters\n");
  const cluster = { server: `https://127.0.0.1:${api}`, "insecure-skip-tls-verify": true };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "here", cluster }],
    users: [{ name: "admin", user: { token: "token" } }],
    contexts: [{ name: "here", context: { cluster: "here", user: "admin" } }],
    "current-context": "here",
  };
  writeFileSync(env.KUBECONFIG, JSON.stringify(config));
  start("etcd", {
    "data-dir": join(folder, "etcd"),
    "listen-client-urls": store,
    "advertise-client-urls": store,
    "listen-peer-urls": `http://127.0.0.1:${peers}`,
  });
  start("kube-apiserver", {
    "etcd-servers": store,
    "secure-port": String(api),
    "bind-address": "127.0.0.1",
    "cert-dir": join(folder, "certificates"),
    "service-account-issuer": "https://tranche.example",
    "service-account-key-file": key,
    "service-account-signing-key-file": key,
    "service-cluster-ip-range": "10.0.0.0/24",
    "authorization-mode": "RBAC",
    "token-auth-file": join(folder, "tokens.csv"),
  });
  while (!(await kubectl(["get", "--raw", "/readyz"]).catch(() => false))) await sleep(500);
  await kubectl(["apply", "--filename", "-"], JSON.stringify(list(FOREIGN.map(definition))));
  await kubectl(["wait", "--for", "condition=established", "customresourcedefinition", "--all"]);
}

function start(program: string, options: Record<string, string>): void {
  const child = spawn(
    program,
    Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    { stdio: "ignore" },
  );
  children.push(child);
}

const list = (items: unknown[]) => ({ apiVersion: "v1", kind: "List", items });
function definition([group, version, kind]: (typeof FOREIGN)[number]) {
  const singular = kind.toLowerCase();
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${singular}s.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural: `${singular}s`, singular, kind },
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}

/** What a command printed on both streams; rejects with its error text. */
async function told(program: string, args: string[], input = ""): Promise<string> {
  const running = run(program, args, { env });
  running.child.stdin!.end(input);
  return running.then(
    ({ stdout, stderr }) => stdout + stderr,
    (error: { stderr: string }) => Promise.reject(new Error(error.stderr)),
  );
}
const kubectl = (args: string[], input?: string): Promise<string> => told("kubectl", args, input);

/** A namespace that enforces the strictest policy for pods. */
async function namespace(name: string): Promise<void> {
  await kubectl(["create", "namespace", name]);
  const policy = ["enforce", "warn"].map((mode) => `pod-security.kubernetes.io/${mode}=restricted`);
  await kubectl(["label", "namespace", name, ...policy]);
  // A controller makes it, of which there is none here.
  await kubectl(["create", "serviceaccount", "default", "--namespace", name]);
}

type Workload = {
  metadata: { name: string };
  spec: { template?: Template; jobTemplate?: { spec: { template: Template } } };
};
type Template = { metadata: object; spec: { containers: { image: string }[] } };

/** The pods that the controllers of a namespace would create. */
async function podsOf(name: string): Promise<{ metadata: object; spec: Template["spec"] }[]> {
  const { items } = JSON.parse(
    await kubectl(["get", "deployments,cronjobs", "--output", "json", "--namespace", name]),
  ) as { items: Workload[] };
  return items.map(({ metadata, spec }) => {
    const { metadata: labels, spec: pod } = spec.template ?? spec.jobTemplate!.spec.template;
    return { apiVersion: "v1", kind: "Pod", metadata: { ...labels, name: metadata.name }, spec: pod };
  });
}
const admit = (name: string, pods: unknown[]) =>
  kubectl(["create", "--namespace", name, "--filename", "-"], JSON.stringify(list(pods)));

const test = (name: string, body: () => Promise<void>) =>
  each(name, { timeout: START_MS }, async (context: TestContext) => {
    if (missing) leaveOut(context, "an API server of Kubernetes", missing);
    await body();
  });

test("the base and the example are taken, and so are their pods under the policy `restricted`", async () => {
  await namespace("plain");
  for (const [name, source] of [
    ["plain", "base"],
    ["tranche", "example"],
  ] as const) {
    const objects = await kubectl(["kustomize", join(INFRA, source)]);
    const answer = await kubectl(["apply", "--server-side", "--namespace", name, "--filename", "-"], objects);
    expect(answer).not.toContain("Warning");
    expect(answer.match(/serverside-applied/g)).toHaveLength(objects.match(/^kind: /gm)!.length);
    const pods = await podsOf(name);
    expect(pods.length).toBeGreaterThan(6);
    expect((await admit(name, pods)).match(/created/g)).toHaveLength(pods.length);
    const { spec, ...pod } = pods[0]!;
    const open = { ...pod, metadata: { name: "open" }, spec: { ...spec, hostNetwork: true } };
    await expect(admit(name, [open])).rejects.toThrow("violates PodSecurity");
  }
});

test("the chart says which Secrets and keys are missing, installs, and is upgraded in the order of the docs", async () => {
  await namespace("charted");
  const helm = (command: string, ...args: string[]) => {
    const values = ["--values", join(INFRA, "example/values.yaml"), "--namespace", "charted"];
    return told("helm", [command, "tranche", INFRA, ...values, ...args]);
  };
  const nothing = await helm("install").catch((error: Error) => error.message);
  expect(nothing).toContain("Missing in namespace charted:\n- Secret tranche-api, with elasticsearch-api-key, ");
  expect(nothing).toContain(
    "- Secret tranche-operators, with elasticsearch-api-key, elasticsearch-url, operator-token",
  );
  expect(await kubectl(["get", "deployments", "--namespace", "charted"])).toContain("No resources found");

  const secrets = readFileSync(join(INFRA, "example/secrets.yaml"), "utf8");
  const apply = (text: string) => kubectl(["apply", "--namespace", "charted", "--filename", "-"], text);
  await apply(secrets.replace(/^ +operator-token: .*\n/m, ""));
  await expect(helm("install")).rejects.toThrow(
    "Missing in namespace charted:\n- operator-token in Secret tranche-operators\n",
  );
  await expect(helm("install", "--set", "imagee.tag=1")).rejects.toThrow("'imagee' not allowed");
  await apply(secrets);
  expect(await helm("install")).toContain("STATUS: deployed");
  const pods = await podsOf("charted");
  expect((await admit("charted", pods)).match(/created/g)).toHaveLength(pods.length);

  const older = ["api", "operators", "dashboard"].map((process) => `processes.${process}.tag=old`);
  await helm("upgrade", "--set", ["image.tag=new", ...older].join());
  const upgraded = await podsOf("charted");
  const tagged = (tag: string) => upgraded.filter(({ spec }) => spec.containers[0]!.image.endsWith(`:${tag}`)).length;
  expect([tagged("old"), tagged("new")]).toEqual([older.length, pods.length - older.length]);
  await kubectl(["create", "job", "--from=cronjob/tranche-reindex", "reindex-1", "--namespace", "charted"]);
});
