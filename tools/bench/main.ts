import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { Command, InvalidArgumentError, Option } from "commander";
import type { AcrossSizes, Benchmark, Options, Outcome } from "./benchmark.ts";
import { BENCHMARKS } from "./benchmarks/all.ts";
import { profilesSince, type Share, sharesOf } from "./report/profile.ts";
import { table } from "./report/table.ts";
import { checkOut } from "./environment/reference.ts";
import { segmentsOf } from "./environment/segments.ts";
import { type Environment, openEnvironment } from "./environment/environment.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const SMOKE_SIZE = 50_000;
const SMOKE_SIZES = [20_000, 200_000];

const wholeNumber = (least: number) => (text: string) => {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value;
  throw new InvalidArgumentError(`Expected a whole number, at least ${least}.`);
};

const sizes = (text: string): number[] => {
  const all = text.split(",").map(wholeNumber(1));
  if (all.every((size, i) => i === 0 || size > all[i - 1]!)) return all;
  throw new InvalidArgumentError("Expected one size, or some with the smallest first: 1000000,10000000.");
};

const list = BENCHMARKS.map(({ name, about }) => `  ${name.padEnd(22)} ${about}`).join("\n");
const command = new Command("npm run -s bench --")
  .description("Measures the service against what it is made of, in turns on the same engines.")
  .argument("[name]", "which benchmark")
  .option("--list", "list the benchmarks")
  .option(
    "--size <rounds>",
    "funding rounds in the data set; 1000000 is what tools/bench/README.md has",
    wholeNumber(1),
    SMOKE_SIZE,
  )
  .option("--sizes <rounds,rounds>", "those that `scale` measures", sizes, SMOKE_SIZES)
  .option("--seconds <seconds>", "how long each target is measured, about", wholeNumber(1), 15)
  .option("--warm-up <seconds>", "how long each target works before it is measured, about", wholeNumber(0), 3)
  .option("--against <ref>", "measure this version and another commit of this repository alone, in turns")
  .option("--own-engines", "with --against: the other commit on engines of its own, because it stores other documents")
  .addOption(
    new Option(
      "--without <part>",
      "front: measure the API without its front cache, too; writes: leave out what writes",
    ).choices(["front", "writes"]),
  )
  .option(
    "--profile",
    "write CPU profiles of the API, or of the indexer where it is what is measured, to the home of this size, and show where the time went",
  )
  .option("--json", "end with one line of JSON")
  .addHelpText("after", `\nBenchmarks:\n${list}`)
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2));

const log = (line: string): void => console.error(line);

/** The options of the command. */
type Wanted = {
  list?: true;
  size: number;
  sizes: number[];
  seconds: number;
  warmUp: number;
  against?: string;
  ownEngines?: true;
  without?: "front" | "writes";
  profile?: true;
  json?: true;
};

async function main(): Promise<number> {
  command.parse();
  const options = command.opts<Wanted>();
  if (options.list) {
    console.log(list);
    return 0;
  }
  const wanted = command.args[0];
  const benchmark = BENCHMARKS.find(({ name }) => name === wanted);
  if (!benchmark) {
    console.error(wanted === undefined ? "Which benchmark?" : `There is no benchmark '${wanted}'.`);
    console.error(list);
    return 2;
  }
  const refusal = refusalOf(benchmark, options);
  if (refusal) {
    console.error(refusal);
    return 2;
  }
  const outcome = "across" in benchmark ? await measureSizes(benchmark, options) : await measure(benchmark, options);
  const { ratio, figures, goals } = outcome;
  const ok = goals.every(({ met }) => met);
  if (options.json) console.log(JSON.stringify({ name: benchmark.name, ok, ratio, ...figures }));
  return 0;
}

const settingsOf = ({ seconds, warmUp, without }: Wanted, profile?: string): Options => ({
  seconds,
  warmUpSeconds: warmUp,
  profile,
  withoutFront: without === "front",
  withoutWrites: without === "writes",
});

async function measureSizes(benchmark: AcrossSizes, options: Wanted): Promise<Outcome> {
  const outcome = await benchmark.across(openUntilSignal, options.sizes, settingsOf(options));
  show(`${benchmark.name}, ${options.sizes.join(", ")} rounds`, outcome);
  return outcome;
}

async function measure(benchmark: Benchmark, options: Wanted): Promise<Outcome> {
  const environment = await openUntilSignal(options.size);
  try {
    const profile = options.profile ? join(environment.home, "profiles") : undefined;
    if (profile) mkdirSync(profile, { recursive: true });
    const begun = Date.now();
    const settings = settingsOf(options, profile);
    const outcome =
      options.against === undefined
        ? await benchmark.run(environment, settings)
        : await benchmark.compare!(
            environment,
            settings,
            await checkOut(environment, options.against, { ownEngines: options.ownEngines ?? false }),
          );
    const segments = await segmentsOf(environment.client, environment.names);
    show(`${benchmark.name}, ${options.size} rounds`, outcome);
    console.log(`segments: ${READ_MODELS.map((model) => `${model} ${segments[model]}`).join(", ")}`);
    if (profile) showProfile(sharesOf(profilesSince(profile, begun)));
    return { ...outcome, figures: { size: options.size, segments, ...outcome.figures } };
  } finally {
    await environment.close();
  }
}

/** The environment of a size. Until it is closed, a signal ends its engines and processes before this process. */
async function openUntilSignal(size: number): Promise<Environment> {
  const environment = await openEnvironment({ size, env: process.env, log });
  const end = (): void => void environment.close().then(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, end);
  return {
    ...environment,
    async close() {
      for (const signal of SIGNALS) process.off(signal, end);
      await environment.close();
    },
  };
}

/** What this benchmark cannot do of what is asked of it; undefined when it can do all. */
function refusalOf(
  { name, compare, across, comparesOwnEngines, measuresFrontCache, alsoReadsOnly }: Partial<Benchmark & AcrossSizes>,
  { against, ownEngines, without, profile }: Wanted,
): string | undefined {
  if (against !== undefined && !compare) return `--against: the benchmark ${name} cannot compare commits.`;
  if (ownEngines && against === undefined) return "--own-engines: say the commit with --against REF.";
  if (ownEngines && !comparesOwnEngines)
    return `--own-engines: the benchmark ${name} compares commits on the same engines only.`;
  if (profile && across)
    return `--profile: ${name} has too many kinds of requests for one; measure one of them by its own benchmark.`;
  if (without && against !== undefined) return "--without and --against are two comparisons: choose one.";
  if (without === "front" && !measuresFrontCache)
    return `--without front: the benchmark ${name} asks for nothing twice.`;
  if (without === "writes" && !alsoReadsOnly) return `--without writes: only scale can leave them out.`;
  return undefined;
}

function show(what: string, { table: figures, goals }: Outcome): void {
  console.log(what);
  console.log(table(figures.head, figures.rows));
  for (const { goal, found, met } of goals) console.log(`${met ? "met    " : "NOT MET"}  ${goal}: ${found}`);
}

/** The parts that took at least a hundredth. */
function showProfile(shares: readonly Share[]): void {
  if (shares.length === 0) return console.log("--profile: nothing that was measured here writes a profile.");
  const rows = shares
    .filter(({ percent }) => percent >= 1)
    .map(({ part, percent }) => [part, Number(percent.toFixed(1))]);
  console.log(table(["part", "% of the busy time"], rows));
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error((error as Error).message);
  // Not by its exit code alone: what the benchmark has left open would try to reach the engines forever.
  process.exit(1);
}
