import type { Client, estypes } from "@elastic/elasticsearch";
import {
  INDEX_ROLES,
  type IndexNames,
  type IndexRole,
  READ_MODELS,
  type ReadModel,
} from "../../engines/search/index-names.ts";
import { retryForever } from "../../engines/search/retry-forever.ts";

/** The index of each role, for each read model. */
export type IndexRoles = Record<ReadModel, Partial<Record<IndexRole, string>>>;

/**
 * Reads the roles now, from the elected master: another node may lag behind a move, and a writer that missed a new index would lose a
 * write in it. An index holds each role at most once. Never cache it.
 */
export async function readIndexRoles(client: Client, names: IndexNames): Promise<IndexRoles> {
  const aliases = READ_MODELS.flatMap((model) => INDEX_ROLES.map((role) => names.role(model, role)));
  const request = { metric: "metadata" as const, index: aliases, filter_path: "metadata.indices.*.aliases" };
  const answer = (await retryForever(() => client.cluster.state(request))) as ClusterState;
  const holders = new Map<string, string>();
  for (const [index, entry] of Object.entries(answer.metadata?.indices ?? {})) {
    for (const alias of entry.aliases) {
      const other = holders.get(alias);
      if (other) throw new Error(`both ${other} and ${index} have the alias ${alias}; only one may`);
      holders.set(alias, index);
    }
  }
  const roles = READ_MODELS.map((model) => {
    const held = INDEX_ROLES.flatMap((role) => {
      const index = holders.get(names.role(model, role));
      return index ? [[role, index] as const] : [];
    });
    return [model, Object.fromEntries(held)] as const;
  });
  return Object.fromEntries(roles) as IndexRoles;
}

type ClusterState = { metadata?: { indices?: Record<string, { aliases: string[] }> } };

type RoleChange = {
  model: ReadModel;
  role: IndexRole;
  from?: string | undefined;
  to?: string | undefined;
  /** `from` missed a write, so it gets no role and no write again. */
  forGood?: boolean;
};

/**
 * Moves roles between indices, all in one call or none: each role is removed from the expected index with `must_exist`, so a call with
 * outdated expectations is refused as a whole. Only an index with its own alias gets a role; one that loses its role for good loses
 * that alias, too, so no process that read the roles before can give it one. Returns whether it succeeded.
 */
export async function moveRoles(client: Client, names: IndexNames, changes: readonly RoleChange[]): Promise<boolean> {
  const remove = (index: string, alias: string) => ({ remove: { index, alias, must_exist: true } });
  const add = (index: string, alias: string) => ({ add: { index, alias } });
  const actions: estypes.IndicesUpdateAliasesAction[] = changes.flatMap(({ model, role, from, to, forGood }) => {
    const alias = names.role(model, role);
    return [
      ...(from ? [remove(from, alias)] : []),
      ...(from && forGood ? [remove(from, names.ownAlias(from))] : []),
      // Removing and adding the alias changes nothing, but is refused when it is not there.
      ...(to ? [remove(to, names.ownAlias(to)), add(to, names.ownAlias(to)), add(to, alias)] : []),
    ];
  });
  const wanted = (roles: IndexRoles) => changes.every(({ model, role, to }) => roles[model][role] === to);
  try {
    const answer = (await client.indices.updateAliases({ actions })) as { acknowledged: boolean; errors?: boolean };
    if (answer.acknowledged && !answer.errors) return true;
  } catch (error) {
    const status = (error as { meta?: { statusCode?: number } }).meta?.statusCode;
    if (status === 404 || status === 400) return false;
  }
  // The result is unknown, so the cluster state decides.
  return wanted(await readIndexRoles(client, names));
}
