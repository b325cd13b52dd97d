import { READ_MODELS } from "@tranche/shared/engines/search/index-names";
import type { Environment } from "../environment/environment.ts";

/** What is held to a bound when data grow tenfold: at most so many times of before, or at least such a part of it. */
type Bound = { most: number } | { least: number };
/** `cpu_us`: of Elasticsearch, for each request. `instead`: what came in place of answers, after the time that is the value. */
export type Figure = {
  value: number;
  unit: string;
  cpu_us?: number;
  bound?: Bound;
  instead?: "refused" | "given up" | "cut off" | undefined;
};
/** What was found at one size, by what it is of. */
export type Figures = Record<string, Figure>;

/** What Elasticsearch keeps of the data, in memory and on disk. */
export async function engineFigures({ client, names }: Environment): Promise<Figures> {
  const { nodes } = await client.nodes.stats({ metric: "jvm" });
  const heap = Object.values(nodes).reduce((sum, node) => sum + (node.jvm?.mem?.heap_used_in_bytes ?? 0), 0);
  const all = `${names.edges.replace(/edges$/, "")}*`;
  const bytesOf = async (index: string | string[]) => {
    const { _all } = await client.indices.stats({ index, metric: ["store"] });
    return _all.primaries?.store?.size_in_bytes ?? 0;
  };
  const mebibytes = (bytes: number) => ({ value: bytes / 2 ** 20, unit: "MiB" });
  return {
    "Elasticsearch, heap in use": mebibytes(heap),
    ...Object.fromEntries(
      await Promise.all(
        READ_MODELS.map(async (model) => [`${model} on disk`, mebibytes(await bytesOf(names.role(model, "live")))]),
      ),
    ),
    "everything on disk": mebibytes(await bytesOf(all)),
  };
}
