import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { outdatedText } from "@tranche/read-models/indices/outdated-text";
import { outdatedIndices } from "@tranche/read-models/indices/state";
import { installationProblem } from "@tranche/shared/engines/search/installation-format";
import type { Running } from "@tranche/shared/process/home";
import { assertOperatorPortIsClosed } from "@tranche/shared/process/operator-port";
import { environmentWithSecrets, readSettings } from "@tranche/shared/process/settings";
import { pagesAreBuilt } from "../../web/sources.ts";
import { Command } from "commander";
import { findOrStartEngines, type Engines } from "../../tools/local-engines/engines.ts";
import { startReaper, type Reaper } from "../../tools/local-engines/reaper.ts";
import { findDataFolder, privateFolder, projectFolder } from "../../tools/local-engines/data-folder.ts";
import { takeLock } from "../../tools/local-engines/lock.ts";
import { appFailure, keepRunning, startApp, untilReady, type App } from "./apps.ts";
import { type Bar, createBar } from "./bar.ts";
import { childEnvironment } from "./child-environment.ts";
import { demoAccount } from "./demo-account.ts";
import { demoKeyFile, operatorToken } from "./kept-secret.ts";
import { planOf, type Prepared } from "./expected-time.ts";
import { type Loading, loadSample, nextOfSample } from "./load-sample.ts";
import { withClient } from "./with-client.ts";
import { watchNpm } from "./npm-parent.ts";
import { callable, choosePorts } from "./ports.ts";
import { readHomeState, refuseHome, SAMPLE_NOW, type SampleChoice, sampleFiles, writeHomeState } from "./sample.ts";
import { welcome } from "./welcome.ts";

const command = new Command("npm start --")
  .description(
    "Runs Tranche on this machine: search engine, Redis, indexer, API, operators' pages and dashboard. Ctrl-C stops it; the data stays.",
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

const project = projectFolder();
let reaper: Reaper | undefined;
let bar: Bar | undefined;
let stopping: Promise<never> | undefined;

/** Ends everything in order, once. Errors are said first, for ending takes a moment. */
function stop(text: string, code: number): Promise<never> {
  stopping ??= (async () => {
    bar?.stop();
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
  const home = findDataFolder(environment, project, console.log);
  const lock = takeHome(home, choice);
  const ports = await choosePorts(settings);
  bar = createBar(process.stdout, planOf(whatIsPrepared(home, environment, choice)));
  const { say } = bar;
  if (!pagesAreBuilt()) await buildPages(say);

  reaper = startReaper();
  reaper.onTeardown({ kind: "remove", path: lock });
  bar.begin("engines");
  const engines = await findOrStartEngines({ home, env: environment, log: say, purpose: "start", reaper });
  void engines.failed.then((text) => stop(text, 1));
  const unusable = await withClient(engines, settings, installationProblem);
  if (unusable !== undefined) throw new Error(unusable);
  const now = settings.TRANCHE_NOW ?? (choice === "none" ? undefined : SAMPLE_NOW);
  const apiUrl = `http://${callable(settings.HOST)}:${ports.api}`;
  const dashboardUrl =
    settings.TRANCHE_DASHBOARD_URL ?? `http://${callable(settings.HOST)}:${ports.dashboard}/dashboard`;
  const env = childEnvironment(environment, { settings, engines, ports, apiUrl, dashboardUrl, home, now });

  bar.begin("services");
  say("starting the indexer, the API, the operators' pages and the dashboard");
  const setting = { project, home, env };
  const token = settings.TRANCHE_OPERATOR_TOKEN ?? operatorToken(home);
  const withToken = { ...setting, env: { ...env, TRANCHE_OPERATOR_TOKEN: token } };
  const apps: App[] = [await startApp(reaper, "indexer", setting), await startApp(reaper, "api", setting)];
  for (const app of apps) void app.ended.then((how) => stop(appFailure(app, how), 1));
  // Callers of the API need neither of the others.
  const again = { isStopping: () => stopping !== undefined, say };
  await keepRunning(reaper, "operators", withToken, again);
  const operatorUrl = `http://${callable(settings.TRANCHE_OPERATOR_HOST)}:${ports.operator}`;
  await untilReady("api", apiUrl);
  await keepRunning(reaper, "dashboard", setting, again);
  await untilReady("operators", operatorUrl);
  announce(home, {
    pid: process.pid,
    ...addresses(engines),
    namespace: settings.TRANCHE_NAMESPACE,
    apiUrl,
    operatorUrl,
    dashboardUrl,
    now: now ?? null,
    webhookKey: env["TRANCHE_WEBHOOK_KEY"],
    webhookTargets: settings.TRANCHE_WEBHOOK_TARGETS,
  });

  const given = Boolean(environment["ELASTICSEARCH_URL"]);
  const loading = { files: sampleFiles(choice), home, engines, given, settings };
  const incomplete = await prepareSample(choice, loading, { reaper, project, env, bar });
  bar.begin("account");
  const { key, plan, sign_in_url: signInUrl } = await demoAccount(reaper, project, demoKeyFile(home), env);
  const outdated = await withClient(engines, settings, outdatedIndices);
  bar.stop();
  console.log(
    welcome({
      apiUrl,
      operatorUrl,
      operatorToken: settings.TRANCHE_OPERATOR_TOKEN === undefined ? token : undefined,
      signInUrl,
      key,
      plan,
      now,
      sample: choice,
      warnings: [incomplete, outdated.length > 0 ? outdatedText(outdated) : undefined].filter(
        (text) => text !== undefined,
      ),
      engines: engines.description,
      home,
      isHomeGiven: Boolean(environment["TRANCHE_HOME"]),
    }),
  );
}

/** Loads what is missing of the sample. Returns a text when it is not whole. Throws when the home has other data. */
async function prepareSample(
  choice: SampleChoice,
  loading: Loading,
  means: Parameters<typeof loadSample>[2],
): Promise<string | undefined> {
  if (choice === "none") {
    writeHomeState(loading.home, { sample: false, stores: {} });
    return undefined;
  }
  means.bar.begin("sample");
  const next = await nextOfSample(loading);
  if (next.step === "refuse") throw new Error(next.reason);
  return next.step === "load" ? loadSample(next, loading, means) : undefined;
}

/** The findings of a start, from which it says how long it takes. */
function whatIsPrepared(home: string, environment: NodeJS.ProcessEnv, choice: SampleChoice): Prepared {
  const isGiven = environment["ELASTICSEARCH_URL"] && environment["REDIS_URL"];
  const state = readHomeState(home);
  const loaded = Object.values(state?.stores ?? {}).some((files) => files.length > 0);
  return {
    pages: pagesAreBuilt(),
    engines: isGiven ? "given" : existsSync(join(home, "downloads")) || loaded ? "downloaded" : "missing",
    sample: choice === "none" || loaded,
  };
}

/** Builds the pages in a process of its own, which takes the bundler's memory with it when it ends. */
async function buildPages(say: (line: string) => void): Promise<void> {
  const child = spawn(process.execPath, [join(project, "web/build.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) say(line);
  const [code] = (await ended) as [number | null];
  if (code !== 0) throw new Error("The pages were not built: see above.");
}

/** Only one start at a time in a home, and only with its own data. Returns the lock; one that a dead start leaves behind is taken over. */
function takeHome(home: string, choice: SampleChoice): string {
  const refused = refuseHome(home, readHomeState(home), choice);
  if (refused) throw new Error(refused);
  privateFolder(join(home, "logs"));
  const lock = join(home, "start.lock");
  const taken = takeLock(lock, process.pid);
  if ("held" in taken) {
    throw new Error(
      `npm start already runs in ${home} (process ${taken.held.pid}). Stop it, or set TRANCHE_HOME to another folder.`,
    );
  }
  return lock;
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

for (const [signal, text] of [
  ["SIGINT", "\nstopping"],
  ["SIGTERM", "stopping"],
  ["SIGHUP", "stopping"],
] as const) {
  process.on(signal, () => void stop(text, 0));
}
watchNpm(process.env, () => void stop("stopping: npm is gone", 1));

main().catch((error: Error) => stop(error.message, 1));
