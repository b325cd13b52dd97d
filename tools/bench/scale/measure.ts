import type { Options } from "../benchmark.ts";
import { type Api, startApi } from "../environment/api.ts";
import type { Environment } from "../environment/environment.ts";
import { startIndexer } from "../environment/indexer.ts";
import { usageOf } from "../environment/processes.ts";
import { exportFigures } from "./exports.ts";
import { engineFigures, type Figure, type Figures } from "./figures.ts";
import { requestFigures } from "./requests.ts";
import { writeFigures } from "./writes.ts";

/** Measures requests one at a time, then writes and a rebuild, on the data of one size. */
export async function figuresAt(environment: Environment, options: Options): Promise<Figures> {
  const { log, size } = environment;
  await environment.load({ records: !options.withoutWrites });
  const api = await startApi(environment);
  const figures: Figures = { "API, start to first answer": await firstAnswer(api) };
  log(`${size} rounds: requests`);
  Object.assign(figures, await requestFigures(environment, api, options));
  log(`${size} rounds: exports`);
  Object.assign(figures, await exportFigures(api));
  figures["API, memory"] = { value: (await usageOf(api.process.pid)).memoryMiB, unit: "MiB", bound: { most: 1.3 } };
  if (!options.withoutWrites) {
    log(`${size} rounds: writes`);
    const indexer = await startIndexer(environment);
    Object.assign(figures, await writeFigures(environment, { api, indexer }));
    await indexer.stop();
  }
  await api.process.stop();
  return { ...figures, ...(await engineFigures(environment)) };
}

async function firstAnswer({ origin, key, begun }: Api): Promise<Figure> {
  const answer = await fetch(`${origin}/api/v1/funding`, { headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`/funding: ${answer.status} ${await answer.text()}`);
  await answer.arrayBuffer();
  return { value: (performance.now() - begun) / 1000, unit: "s" };
}
