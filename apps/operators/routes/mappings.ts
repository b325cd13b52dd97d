import { PageError } from "@tranche/http/errors/page-error";
import { bytesOf } from "@tranche/http/server/bytes-body";
import { BadMapping } from "@tranche/intake/mapping/bad-mapping";
import { assertAnswered, parseMapping } from "@tranche/intake/mapping/mapping";
import { mappingNameOf, type StoredMapping } from "@tranche/shared/accounts/mapping-store";
import { actorOf, BYTES, type OperatorRouteParts, request } from "./parts.ts";

/** As the store has it. */
const MAX_MAPPING_BYTES = 256 * 1024;

/** The stored mappings, as `ops mappings` has them. */
export function mappingRequests({ doingAs }: OperatorRouteParts) {
  const { mappings } = doingAs("operators");
  return {
    "GET /mappings": request({}, async () => (await mappings.list()).map(versionOf)),

    /** A stored mapping with its versions, the newest first. */
    "GET /mappings/:id": request({}, async ({ id: named }) => {
      const asked = mappingNameOf(named);
      const found = asked && (await mappings.find(asked.name, asked.version));
      if (!found) throw new PageError("not_found", `There is no stored mapping '${named.slice(0, 80)}'.`);
      const versions = await mappings.versions(found.name);
      return {
        ...versionOf(found),
        mapping: JSON.parse(found.content) as object,
        versions: versions.map(versionOf),
      };
    }),

    // The body is a mapping file, which may be larger than what else the pages send.
    "PUT /mappings/:id": request({ body: BYTES }, async ({ ctx, id }) => {
      const content = checked(await bytesOf(ctx, MAX_MAPPING_BYTES));
      const { stored, isNew } = await doingAs(actorOf(ctx)).mappings.put(id, content);
      ctx.status = isNew ? 201 : 200;
      return versionOf(stored);
    }),
  };
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

/** A version of a stored mapping. */
const versionOf = ({ name, version, created_at, created_by }: StoredMapping) => ({
  name,
  version,
  created_at,
  created_by,
});
