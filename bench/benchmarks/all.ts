import type { Benchmark } from "../benchmark.ts";
import { deepOffset } from "./deep-offset.ts";
import { searchCold } from "./search-cold.ts";
import { searchHot } from "./search-hot.ts";

export const BENCHMARKS: readonly Benchmark[] = [searchCold, searchHot, deepOffset];
