import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { globalAgent } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { freePorts } from "../../tools/local-engines/ports.ts";
import { buildPages } from "../../web/building.ts";
import { type Engines, newNamespace } from "./namespace.ts";
import { fromFolder, type Launch, type Program, PROJECT } from "./launch.ts";
import { callOps, newKey, type OpsResult, spawnOps } from "./ops.ts";

/**
 * Many processes are started, and each spends most of its first second compiling the same modules. Each program has a folder of its own:
 * it would refuse, and at its end replace, what another compiled under other flags of V8.
 */
const compiledOf = (program: Program): string =>
  fileURLToPath(new URL(`../../node_modules/.cache/node-compile/${program}`, import.meta.url));

/** An installation of its own on shared engines: real processes, under a namespace that nobody else has. */
export type Service = {
  namespace: string;
  env: NodeJS.ProcessEnv;
  /** Base address of the API, up to and with `/api/v1`; empty until `startApi`. */
  base: string;
  /** Base address of the API's port for metrics; empty until `startApi`. */
  apiMetrics: string;
  /** Base address of the operators' port; empty until `startOperators`. */
  operator: string;
  startIndexer(env?: NodeJS.ProcessEnv): Promise<ChildProcess>;
  startApi(env?: NodeJS.ProcessEnv): Promise<ChildProcess>;
  /** Builds nothing: a file that looks at the pages calls `buildPages` before. */
  startOperators(env?: NodeJS.ProcessEnv): Promise<ChildProcess>;
  /** Address of the dashboard, up to and with `/dashboard`; empty until `startDashboard`. */
  dashboard: string;
  /** Builds the pages if need be. Start the API first: the dashboard gets its address. */
  startDashboard(env?: NodeJS.ProcessEnv): Promise<ChildProcess>;
  /** Runs `ops` of this code here, to its end. `onError` gets all that it has printed to stderr, whenever it prints more. */
  ops(args: string[], input?: string, onError?: (text: string) => void): Promise<OpsResult>;
  /** Starts `ops` as a process, where it is measured or under way while something else is killed. */
  spawnOps(args: string[], input?: string): Promise<OpsResult>;
  /** Makes an account on a plan and returns its key. */
  key(plan?: string): Promise<string>;
  stop(): Promise<void>;
};

/** `now` is the fixed clock for signals and dates; `launch` how programs of another version start; `namespace` one that others use. */
export function createService(
  engines: Engines,
  options: {
    now?: string;
    env?: NodeJS.ProcessEnv;
    launch?: Launch;
    namespace?: string;
    onOutput?: (text: string) => void;
  } = {},
): Service {
  const { namespace = newNamespace(), launch = fromFolder() } = options;
  const env: NodeJS.ProcessEnv = {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    NODE_COMPILE_CACHE: compiledOf("ops"),
    ELASTICSEARCH_URL: engines.elasticsearchUrl,
    REDIS_URL: engines.redisUrl,
    TRANCHE_NAMESPACE: namespace,
    TRANCHE_LOG_LEVEL: "info",
    HOST: "127.0.0.1",
    TRANCHE_API_PROCESSES: "1",
    ...(options.now ? { TRANCHE_NOW: options.now } : {}),
    ...options.env,
  };
  const children: ChildProcess[] = [];

  const start = async (
    app: "api" | "indexer" | "operators" | "dashboard",
    ready: string,
    extra: NodeJS.ProcessEnv = {},
  ): Promise<{ child: ChildProcess; printed: string }> => {
    const settings = { ...env, NODE_COMPILE_CACHE: compiledOf(app), ...extra };
    const [command, ...args] = launch(app, [], settings);
    const child = spawn(command, args, {
      cwd: PROJECT,
      env: settings,
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    child.stderr.on("data", (chunk: Buffer) => {
      process.stderr.write(chunk);
      options.onOutput?.(chunk.toString());
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000);
      options.onOutput?.(chunk.toString());
    });
    for (let waited = 0; !printed.includes(ready); waited += 50) {
      if (child.exitCode !== null || waited > 60_000) throw new Error(`apps/${app} did not start:\n${printed}`);
      await pause(50);
    }
    return { child, printed };
  };

  const service: Service = {
    namespace,
    env,
    base: "",
    apiMetrics: "",
    operator: "",
    dashboard: "",
    startIndexer: async (extra) => (await start("indexer", "takes jobs", extra)).child,
    async startApi(extra) {
      const ports = { PORT: "0", TRANCHE_API_METRICS_PORT: "0" };
      const { child, printed } = await start("api", "the API listens", { ...ports, ...extra });
      service.base = `${addressIn(printed, "address")}/api/v1`;
      service.apiMetrics = addressIn(printed, "metricsAddress");
      return child;
    },
    async startOperators(extra) {
      const port = { TRANCHE_OPERATOR_PORT: "0" };
      const { child, printed } = await start("operators", "the operators' port listens", { ...port, ...extra });
      service.operator = addressIn(printed, "address");
      return child;
    },
    async startDashboard(extra) {
      await buildPages(() => {});
      const apiUrl = service.base.replace(/\/api\/v1$/, "");
      const { child, printed } = await start("dashboard", "the dashboard listens", {
        TRANCHE_DASHBOARD_PORT: "0",
        // That of another dashboard of this installation.
        TRANCHE_DASHBOARD_URL: undefined,
        ...(apiUrl ? { TRANCHE_API_URL: apiUrl } : {}),
        ...extra,
      });
      service.dashboard = `${addressIn(printed, "address")}/dashboard`;
      // Links that `ops` makes lead there.
      env["TRANCHE_DASHBOARD_URL"] = service.dashboard;
      return child;
    },
    ops: (args, input, onError) => callOps(args, { environment: env, input, onError }),
    spawnOps: (args, input) => spawnOps(args, { environment: env, input, launch }),
    key: (plan = "scale") => newKey(env, plan),
    async stop() {
      await endConnections();
      await Promise.all(
        children.map(async (child) => {
          if (child.exitCode !== null || child.signalCode !== null) return;
          child.kill("SIGTERM");
          await once(child, "exit");
        }),
      );
    },
  };
  return service;
}

/** Ends the connections that this process keeps open for its next requests: a server that ends waits two seconds for those. */
async function endConnections(): Promise<void> {
  const kept = getGlobalDispatcher();
  setGlobalDispatcher(new Agent());
  globalAgent.destroy();
  await kept.destroy();
}

/** An address in the last log line that names one: a process that chose its port itself says which. */
function addressIn(printed: string, field: "address" | "metricsAddress"): string {
  const found = [...printed.matchAll(new RegExp(`"${field}":"([^"]+)"`, "g"))].at(-1)?.[1];
  if (found === undefined) throw new Error(`No line has "${field}":\n${printed}`);
  return found;
}

/** A port that nobody listens on, and that no outgoing connection takes before its process has started. */
export async function freePort(): Promise<number> {
  const [port] = (await freePorts(1)) as [number];
  return port;
}
