import type { Client } from "@elastic/elasticsearch";
import type { Logger } from "@tranche/shared/log/logger";
import { moveRoles, readRoles, type Roles } from "@tranche/shared/rebuild/roles";
import { type IndexNames, READ_MODELS } from "@tranche/shared/search/index-names";

/**
 * Takes the previous indices out of service, because they no longer get every write: a rollback to them would lose some. All read
 * models go together, since they are rolled back together. Returns the roles afterwards.
 */
export async function givePreviousUp(
  parts: { client: Client; names: IndexNames; log: Pick<Logger, "error"> },
  roles: Roles,
  reason: string,
): Promise<Roles> {
  const { client, names, log } = parts;
  for (let now = roles; ; now = await readRoles(client, names)) {
    const changes = READ_MODELS.flatMap((model) => {
      const [from, expected] = [now[model].previous, roles[model].previous];
      // Another index has the role since: what was wrong does not hold for it.
      return from !== undefined && from === expected ? [{ model, role: "previous" as const, from }] : [];
    });
    if (changes.length === 0) return now;
    if (!(await moveRoles(client, names, changes))) continue;
    log.error(
      { indices: changes.map(({ from }) => from), reason },
      "the previous indices no longer get every write, so `ops rollback` to them is no longer possible",
    );
  }
}
