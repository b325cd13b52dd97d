import { type Benchmark, goal } from "../benchmark.ts";
import { startServer } from "../baseline/baseline.ts";
import { startApi } from "../environment/api.ts";
import { processMeter } from "../environment/meters.ts";
import type { Target } from "../load/exchange.ts";
import { FEW_AND_MANY, fromEach } from "../load/interleaved.ts";
import { figuresOf, type Sample } from "../load/sample.ts";
import { fundingRequests } from "../requests/funding.ts";
import { repeated } from "../requests/repeated.ts";
import { apiTarget } from "../requests/targets.ts";
import { toolCall, toolHeaders } from "../requests/tool-calls.ts";
import { samplesFigures, samplesTable } from "../report/samples.ts";

const TURN_SECONDS = 3;
const TOOL = "list_rounds";
/** The members of rows that the tool shows. */
const COLUMNS =
  "id,announced_date,deal_type,amount_usd,company.id,company.name,company.country,investors.name,investors.is_lead";

/** Calls of a tool: new ones, and repeated ones. */
export const mcp: Benchmark = {
  name: "mcp",
  about:
    "calls of the tool list_rounds: new ones against the same requests over HTTP, repeated ones against an SDK server with one empty tool",
  async run(environment, options) {
    await environment.load({ records: false });
    const api = await startApi(environment, { profile: options.profile });
    const asked = (next: () => string): Target => ({
      ...apiTarget(environment, api, "funding", () => `${next()}&fields=${COLUMNS}`),
      name: "the same over HTTP",
    });
    const called = (next: () => string): Target => {
      const over = apiTarget(environment, api, "funding", next);
      return {
        ...over,
        name: "tool",
        headers: { ...over.headers, ...toolHeaders(TOOL) },
        next: () => toolCall(TOOL, next()),
      };
    };
    const turns = Math.max(2, Math.round(options.seconds / TURN_SECONDS));
    const slices = { turns, seconds: TURN_SECONDS, warmUpSeconds: options.warmUpSeconds };

    const endless = fundingRequests(environment.world, Date.now() % 1_000_000);
    const fresh = () => endless.next().value;
    const cold = await fromEach(FEW_AND_MANY, [called(fresh), asked(fresh)], slices);

    const empty = await startServer(environment, "empty-tool", (port) => [port]);
    const bare: Target = {
      name: "SDK, one empty tool",
      origin: empty.origin,
      headers: toolHeaders("empty"),
      next: () => toolCall("empty", ""),
      meters: { SDK: processMeter(empty.process.pid) },
    };
    const hot = await fromEach(
      FEW_AND_MANY,
      [called(repeated(fundingRequests(environment.world, 1)).next), bare],
      slices,
    );
    await Promise.all([api.process.stop(), empty.process.stop()]);

    const ratio = ([ours, theirs]: readonly Sample[]) => figuresOf(ours!).per_second / figuresOf(theirs!).per_second;
    const ratios = {
      cold: cold.map(({ connections, samples }) => ({ connections, ratio: ratio(samples) })),
      hot: hot.map(({ connections, samples }) => ({ connections, ratio: ratio(samples) })),
    };
    const samples = [...cold, ...hot].flatMap((each) => each.samples);
    return {
      ratio: ratios.cold[0]!.ratio,
      figures: { ...ratios, targets: samplesFigures(samples) },
      table: samplesTable(samples),
      goals: [
        ...ratios.cold.map((each) =>
          goal(`new calls/s against the same over HTTP, ${each.connections} connections,`, each.ratio, { least: 0.6 }),
        ),
        ...ratios.hot.map((each) =>
          goal(`repeated calls/s against an empty tool, ${each.connections} connections,`, each.ratio, { least: 0.6 }),
        ),
      ],
    };
  },
};
