import { isRunning } from "@tranche/shared/protocol/rebuild/state";
import { moveRoles, readIndexRoles } from "@tranche/shared/protocol/rebuild/roles";
import { isStamped, READ_MODELS } from "@tranche/shared/engines/search/index-names";
import { retryForever } from "@tranche/shared/engines/search/retry-forever";
import type { RebuildParts } from "./parts.ts";

/**
 * Removes what rebuilds leave: the building role of an ended rebuild, and indices without a role. Deletes only names of the exact
 * pattern of a read model's index, and nothing while a rebuild runs.
 */
export async function prune(parts: Pick<RebuildParts, "client" | "names" | "rebuilds" | "log">): Promise<void> {
  const { client, names } = parts;
  // The order matters: indices are listed first, then the rebuild is read, then the roles. An index is planned before it is created,
  // and its rebuild ends after it has its role. So a listed index of an ended rebuild has its role when roles are read.
  const found = await retryForever(() =>
    client.indices.get({ index: READ_MODELS.map((model) => `${names.role(model, "live")}-*`), features: ["settings"] }),
  );
  const read = await parts.rebuilds.read();
  if (read && isRunning(read.rebuild)) return;
  const roles = await readIndexRoles(client, names);

  const abandoned = READ_MODELS.flatMap((model) => {
    const from = roles[model].building;
    return from && from in found ? [{ model, role: "building" as const, from }] : [];
  });
  if (abandoned.length > 0 && !(await moveRoles(client, names, abandoned))) return;

  const held = READ_MODELS.flatMap((model) => [roles[model].live, roles[model].previous]);
  for (const index of Object.keys(found)) {
    const isOurs = READ_MODELS.some((model) => isStamped(index, names.role(model, "live")));
    if (!isOurs || held.includes(index)) continue;
    parts.log.info({ index }, "deleting an index that has no role");
    await retryForever(() => client.indices.delete({ index }, { ignore: [404] }));
  }
}
