import type { AcrossSizes, Benchmark } from "../benchmark.ts";
import { cursor, deepOffset } from "./deep-pages.ts";
import { exports } from "./export.ts";
import { feed } from "./feed.ts";
import { ingest } from "./ingest.ts";
import { investors } from "./investors.ts";
import { mcp } from "./mcp.ts";
import { memory } from "./memory.ts";
import { reindex } from "./reindex.ts";
import { scale } from "./scale.ts";
import { search } from "./search.ts";
import { searchCold } from "./search-cold.ts";
import { searchHot } from "./search-hot.ts";
import { searchMixed } from "./search-mixed.ts";
import { signals } from "./signals.ts";
import { stats } from "./stats.ts";
import { uploads } from "./uploads.ts";
import { walk } from "./walk.ts";
import { writesWhileReading } from "./writes-while-reading.ts";

export const BENCHMARKS: readonly (Benchmark | AcrossSizes)[] = [
  searchCold,
  searchHot,
  searchMixed,
  deepOffset,
  search,
  cursor,
  walk,
  signals,
  exports,
  stats,
  mcp,
  ingest,
  uploads,
  investors,
  reindex,
  feed,
  writesWhileReading,
  memory,
  scale,
];
