import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSearchClient } from "@tranche/shared/search/client";
import { indexNames } from "@tranche/shared/search/index-names";
import { pathHash, type Running } from "@tranche/shared/settings/home";
import { assertOperatorPortIsClosed } from "@tranche/shared/settings/operator-port";
import { environmentWithSecrets, readSettings, type Settings } from "@tranche/shared/settings/settings";
import { buildPages } from "../../web/building.ts";
import { Command } from "commander";
import { lastLine } from "../engines/command.ts";
import { findOrStartEngines, type Engines } from "../engines/engines.ts";
import { runToEnd } from "../engines/one-off-command.ts";
import { startReaper, type Reaper } from "../engines/reaper.ts";
import { findDataFolder, projectFolder } from "../engines/data-folder.ts";
import { takeLock } from "../engines/lock.ts";
import { freePorts, portIsFree } from "../engines/ports.ts";
import { appFailure, startApp, untilReady, type App } from "./apps.ts";
import { watchNpm } from "./npm-parent.ts";
import {
  readHomeState,
  refuseHome,
  SAMPLE_NOW,
  type SampleChoice,
  sampleFiles,
  sampleStep,
  writeHomeState,
} from "./sample.ts";
import { webhookKey } from "./webhook-key.ts";
import { welcome } from "./welcome.ts";

const command = new Command("npm start --")
  .description(
    "Runs Tranche on this machine: search engine, Redis, indexer, API and dashboard. Ctrl-C stops it; the data stays.",
  )
  .option("--no-sample", "start empty, with today's clock, instead of with the sample of data/")
  .option("--no-showcase", "load the real records of the sample only, without the fictional companies")
  .addHelpText(
    "after",
    `
Environment: TRANCHE_HOME (where engines and data are kept), PORT, TRANCHE_OPERATOR_PORT, TRANCHE_DASHBOARD_PORT, TRANCHE_NOW,
ELASTICSEARCH_URL and REDIS_URL (engines to use), TRANCHE_ENGINES=docker|local (where else to look for them).`,
  )
  .allowExcessArguments(false)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const say = (line: string): void => console.log(line);
const project = projectFolder();
let reaper: Reaper | undefined;
let stopping: Promise<never> | undefined;

/** Ends everything in order, once. Errors are said first, for ending takes a moment. */
function stop(text: string, code: number): Promise<never> {
  stopping ??= (async () => {
    (code === 0 ? console.log : console.error)(text);
    await reaper?.stop();
    process.exit(code);
  })();
  return stopping;
}

async function main(): Promise<void> {
  command.parse();
  const { sample, showcase } = command.opts<{ sample: boolean; showcase: boolean }>();
  const choice: SampleChoice = !sample ? "none" : showcase ? "showcase" : "real";
  // A demo with a key on the screen is for this machine alone, unless somebody says otherwise.
  const environment = environmentWithSecrets(process.env);
  const settings = readSettings({ HOST: "127.0.0.1", ...environment });
  assertOperatorPortIsClosed(settings);
  const home = findDataFolder(environment, project, say);
  mkdirSync(join(home, "logs"), { recursive: true });
  const lock = takeHome(home);
  const refused = refuseHome(home, readHomeState(home), choice);
  if (refused) throw new Error(refused);
  const ports = await choosePorts(settings);
  await buildPages(say);

  reaper = startReaper();
  reaper.onTeardown({ kind: "remove", path: lock });
  const engines = await findOrStartEngines({ home, env: environment, log: say, purpose: "start", reaper });
  void engines.failed.then((text) => stop(text, 1));
  const now = settings.TRANCHE_NOW ?? (choice === "none" ? undefined : SAMPLE_NOW);
  const apiUrl = `http://${callable(settings.HOST)}:${ports.api}`;
  const dashboardUrl =
    settings.TRANCHE_DASHBOARD_URL ?? `http://${callable(settings.HOST)}:${ports.dashboard}/dashboard`;
  const env: NodeJS.ProcessEnv = {
    ...environment,
    ELASTICSEARCH_URL: engines.elasticsearchUrl,
    REDIS_URL: engines.redisUrl,
    HOST: settings.HOST,
    PORT: String(ports.api),
    TRANCHE_OPERATOR_PORT: String(ports.operator),
    TRANCHE_DASHBOARD_PORT: String(ports.dashboard),
    TRANCHE_DASHBOARD_URL: dashboardUrl,
    TRANCHE_API_URL: apiUrl,
    TRANCHE_HOME: home,
    TRANCHE_WEBHOOK_KEY: environment["TRANCHE_WEBHOOK_KEY"] || webhookKey(home),
    ...(now ? { TRANCHE_NOW: now } : {}),
  };

  say("starting the indexer, the API and the dashboard");
  const setting = { project, home, env };
  const operatorToken = settings.TRANCHE_OPERATOR_TOKEN ?? randomBytes(24).toString("base64url");
  const withToken = { ...setting, env: { ...env, TRANCHE_OPERATOR_TOKEN: operatorToken } };
  const apps: App[] = [await startApp(reaper, "indexer", setting), await startApp(reaper, "api", withToken)];
  for (const app of apps) void app.ended.then((how) => stop(appFailure(app, how), 1));
  const operatorUrl = `http://${callable(settings.TRANCHE_OPERATOR_HOST)}:${ports.operator}`;
  await untilReady(apiUrl);
  const dashboard = await startApp(reaper, "dashboard", setting);
  void dashboard.ended.then((how) => stop(appFailure(dashboard, how), 1));
  announce(home, {
    pid: process.pid,
    ...addresses(engines),
    apiUrl,
    operatorUrl,
    dashboardUrl,
    now: now ?? null,
    webhookKey: env["TRANCHE_WEBHOOK_KEY"],
    webhookTargets: settings.TRANCHE_WEBHOOK_TARGETS,
  });

  let incomplete: string | undefined;
  if (choice === "none") writeHomeState(home, { sample: false, stores: {} });
  else incomplete = await loadSample(sampleFiles(choice), home, engines, settings, env);
  const { key, plan, sign_in_url: signInUrl } = await demoAccount(env);
  const made = settings.TRANCHE_OPERATOR_TOKEN === undefined ? operatorToken : undefined;
  const { description } = engines;
  say(
    welcome({
      apiUrl,
      operatorUrl,
      operatorToken: made,
      signInUrl,
      key,
      plan,
      now,
      sample: choice,
      incomplete,
      engines: description,
      home,
    }),
  );
}

/** Only one start at a time in a home. Returns the lock; one that a dead start leaves behind is taken over. */
function takeHome(home: string): string {
  const lock = join(home, "start.lock");
  const taken = takeLock(lock, process.pid);
  if ("held" in taken) {
    throw new Error(
      `npm start already runs in ${home} (process ${taken.held.pid}). Stop it, or set TRANCHE_HOME to another folder.`,
    );
  }
  return lock;
}

/** Ports 0 are replaced by free ones, for the address has to be known. */
async function choosePorts(settings: Settings): Promise<{ api: number; operator: number; dashboard: number }> {
  const [first, second, third] = await freePorts(3);
  const api = settings.PORT || first!;
  const operator = settings.TRANCHE_OPERATOR_PORT || second!;
  const dashboard = settings.TRANCHE_DASHBOARD_PORT || third!;
  const chosen = [
    ["PORT", api, settings.HOST],
    ["TRANCHE_OPERATOR_PORT", operator, settings.TRANCHE_OPERATOR_HOST],
    ["TRANCHE_DASHBOARD_PORT", dashboard, settings.HOST],
  ] as const;
  for (const [variable, port, host] of chosen) {
    const same = chosen.find(([other, its]) => other !== variable && its === port);
    if (same) throw new Error(`${variable} and ${same[0]} are both ${port}. Give one of them another port.`);
    if (!(await portIsFree(port, host))) {
      throw new Error(
        `Port ${port} is taken, or ${host} is no address of this machine. Free it, or set ${variable} to another port.`,
      );
    }
  }
  return { api, operator, dashboard };
}

function callable(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
  return host.includes(":") ? `[${host}]` : host;
}

function addresses({ elasticsearchUrl, redisUrl }: Engines): { elasticsearchUrl: string; redisUrl: string } {
  return { elasticsearchUrl, redisUrl };
}

/** Lets the operators' command line find this run. Addresses may hold passwords: nobody else reads it. */
function announce(home: string, running: Running): void {
  const file = join(home, "running.json");
  reaper?.onTeardown({ kind: "remove", path: file });
  writeFileSync(file, `${JSON.stringify(running, null, 2)}\n`, { mode: 0o600 });
}

/** Returns why the sample is not complete, undefined when it is: what is there can be used all the same. */
async function loadSample(
  files: readonly string[],
  home: string,
  engines: Engines,
  settings: Settings,
  env: NodeJS.ProcessEnv,
): Promise<string | undefined> {
  const given = Boolean(process.env["ELASTICSEARCH_URL"] || process.env["ELASTICSEARCH_URL_FILE"]);
  const store = given ? `given-${pathHash(engines.elasticsearchUrl)}` : engines.origin;
  const state = readHomeState(home);
  const companies = await countCompanies(engines.elasticsearchUrl, settings);
  const next = sampleStep(files, state, store, companies, given);
  if (next.step === "refuse") throw new Error(next.reason);
  if (next.step === "keep") return undefined;

  const stores = state?.stores ?? {};
  const before = companies > 0 ? (stores[store] ?? []) : [];
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: before } });
  say(stores[store] ? "loading what is missing of the sample" : "loading the sample (once)");
  const args = [join(project, "apps/ops/main.ts"), "ingest", ...next.files, "--wait"];
  const problem = await runToEnd(reaper!, { command: process.execPath, args, env, cwd: project, output: "inherit" });
  if (problem) return `The sample could not be loaded completely (${problem}, see above). The next start tries again.`;
  writeHomeState(home, { sample: true, stores: { ...stores, [store]: [...before, ...next.files] } });
  return undefined;
}

async function countCompanies(url: string, settings: Settings): Promise<number> {
  const client = createSearchClient(
    { url, apiKey: settings.ELASTICSEARCH_API_KEY },
    { connections: 1, requestTimeoutMs: 30_000 },
  );
  try {
    const index = indexNames(settings.TRANCHE_NAMESPACE).record("company");
    return (await client.count({ index, ignore_unavailable: true })).count;
  } finally {
    await client.close();
  }
}

async function demoAccount(env: NodeJS.ProcessEnv): Promise<DemoAccount> {
  const args = [join(project, "apps/ops/main.ts"), "demo-account", "--json"];
  const what = { command: process.execPath, args, env, cwd: project, output: "capture" as const, graceMs: 1_000 };
  const { code, error, output = "", errors = "" } = await (await reaper!.run(what)).ended;
  if (code !== 0)
    throw new Error(`No demo account could be made: ${lastLine(errors) || (error ?? `exit code ${code}`)}`);
  return JSON.parse(output) as DemoAccount;
}

type DemoAccount = { key: string; plan: string; sign_in_url: string };

for (const [signal, text] of [
  ["SIGINT", "\nstopping"],
  ["SIGTERM", "stopping"],
  ["SIGHUP", "stopping"],
] as const) {
  process.on(signal, () => void stop(text, 0));
}
watchNpm(process.env, () => void stop("stopping: npm is gone", 1));

main().catch((error: Error) => stop(error.message, 1));
