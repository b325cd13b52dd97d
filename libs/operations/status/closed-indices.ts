import type { Client } from "@elastic/elasticsearch";
import { closedBy, type ClosedBy } from "@tranche/shared/engines/search/closed-by";
import { INDEX_ROLES, type IndexNames, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { storeNames } from "@tranche/shared/engines/search/store-indices";

/** An index that takes no writes. */
type ClosedIndex = { index: string; why: ClosedBy };

/** The indices of this installation that take no writes: writes to them wait. */
export async function closedIndices(client: Client, names: IndexNames): Promise<ClosedIndex[]> {
  const targets = READ_MODELS.flatMap((model) => INDEX_ROLES.map((role) => names.role(model, role)));
  const closed = await closedBy(client, [...storeNames(names), ...targets]);
  return [...closed].map(([index, why]) => ({ index, why }));
}
