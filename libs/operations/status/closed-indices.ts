import type { Client } from "@elastic/elasticsearch";
import { type IndexNames, READ_MODELS, ROLES } from "@tranche/shared/search/index-names";
import { storeNames } from "@tranche/shared/search/store-indices";

/**
 * An index that takes no writes. `disk`: Elasticsearch has closed it, because a node's disk is nearly full, and opens it by itself
 * when there is room. `write`: a resharding or an operator has closed it.
 */
export type ClosedIndex = { index: string; why: "disk" | "write" };

/** The indices of this installation that take no writes: writes to them wait. */
export async function closedIndices(client: Client, names: IndexNames): Promise<ClosedIndex[]> {
  const stores = storeNames(names);
  const targets = READ_MODELS.flatMap((model) => ROLES.map((role) => names.role(model, role)));
  const found = await client.indices.getSettings({
    index: [...stores, ...targets],
    name: "index.blocks.*",
    ignore_unavailable: true,
  });
  return Object.entries(found).flatMap(([index, { settings }]): ClosedIndex[] => {
    const { write, read_only, read_only_allow_delete } = settings?.index?.blocks ?? {};
    if (isTrue(read_only_allow_delete)) return [{ index, why: "disk" }];
    return isTrue(write) || isTrue(read_only) ? [{ index, why: "write" }] : [];
  });
}

/** Elasticsearch gives settings as text. */
const isTrue = (setting: unknown): boolean => String(setting) === "true";
