import type Router from "@koa/router";
import { PageError } from "@tranche/http/errors/page-error";
import { bytesOf } from "@tranche/http/server/bytes-body";
import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import { assertAnswered, parseMapping } from "@tranche/intake/mapping/mapping";
import { mappingNameOf, type StoredMapping } from "@tranche/shared/accounts/mapping-store";
import { actorOf, type OperatorRouteParts } from "./parts.ts";

/** A version of a stored mapping. */
export type MappingVersion = { name: string; version: number; created_at: string; created_by: string };

/** A stored mapping with its versions, the newest first. */
export type MappingView = MappingVersion & { mapping: object; versions: MappingVersion[] };

/** As the store has it. */
const MAX_MAPPING_BYTES = 256 * 1024;

/** The stored mappings, as `ops mappings` has them. */
export function addMappings(router: Router, { doingAs }: OperatorRouteParts): void {
  const { mappings } = doingAs("operators");

  router.get("/mappings", async (ctx) => {
    ctx.body = { data: (await mappings.list()).map(versionOf) };
  });

  router.get("/mappings/:name", async (ctx) => {
    const named = ctx.params["name"]!;
    const asked = mappingNameOf(named);
    const found = asked && (await mappings.find(asked.name, asked.version));
    if (!found) throw new PageError("not_found", `There is no stored mapping '${named.slice(0, 80)}'.`);
    const versions = await mappings.versions(found.name);
    const view: MappingView = {
      ...versionOf(found),
      mapping: JSON.parse(found.content) as object,
      versions: versions.map(versionOf),
    };
    ctx.body = { data: view };
  });

  // The body is a mapping file, which may be larger than what else the pages send.
  router.put("/mappings/:name", async (ctx) => {
    const content = checked(await bytesOf(ctx, MAX_MAPPING_BYTES));
    const { stored, isNew } = await doingAs(actorOf(ctx)).mappings.put(ctx.params["name"]!, content);
    ctx.status = isNew ? 201 : 200;
    ctx.body = { data: versionOf(stored) };
  });
}

function checked(bytes: Buffer): object {
  try {
    const content: unknown = JSON.parse(bytes.toString("utf8"));
    assertAnswered(parseMapping(content), "mapping");
    return content as object;
  } catch (error) {
    if (!(error instanceof BadMapping) && !(error instanceof SyntaxError)) throw error;
    throw new PageError("invalid_request", error.message, { parameter: "mapping" });
  }
}

const versionOf = ({ name, version, created_at, created_by }: StoredMapping): MappingVersion => ({
  name,
  version,
  created_at,
  created_by,
});
