import type { RunView } from "../../../libs/intake/http/run-view.ts";
import { requestJson } from "../../ui/request.ts";

const PATH = "/ingest";

export const RUNS_PATH = PATH;
export const runPath = (run: string): string => `${PATH}/${encodeURIComponent(run)}`;

/** The last runs, the newest first. */
export const readRuns = async (path: string, signal: AbortSignal): Promise<RunView[]> =>
  (await requestJson<{ data: RunView[] }>(path, { signal })).body.data;

export const readRun = async (path: string, signal: AbortSignal): Promise<RunView> =>
  (await requestJson<RunView>(path, { signal })).body;
