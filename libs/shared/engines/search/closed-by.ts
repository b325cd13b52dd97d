import type { Client } from "@elastic/elasticsearch";

/**
 * Why an index takes no writes. `disk`: Elasticsearch has closed it, because a node's disk is nearly full, and opens it by itself when
 * there is room. `write`: an operator has closed it.
 */
export type ClosedBy = "disk" | "write";

/** Those of the indices that are closed to writes. Missing ones are left out; of an alias, the index behind it is named. */
export async function closedBy(client: Client, indices: readonly string[]): Promise<ReadonlyMap<string, ClosedBy>> {
  const found = await client.indices.getSettings({
    index: [...indices],
    name: "index.blocks.*",
    ignore_unavailable: true,
  });
  return new Map(
    Object.entries(found).flatMap(([index, { settings }]): [string, ClosedBy][] => {
      const { write, read_only, read_only_allow_delete } = settings?.index?.blocks ?? {};
      if (isTrue(read_only_allow_delete)) return [[index, "disk"]];
      return isTrue(write) || isTrue(read_only) ? [[index, "write"]] : [];
    }),
  );
}

/** Elasticsearch gives settings as text. */
const isTrue = (setting: unknown): boolean => String(setting) === "true";
