import { randomBytes } from "node:crypto";
import type { Client } from "@elastic/elasticsearch";
import {
  encodePosition,
  type ListPosition,
  proofOf,
  type ProvenPosition,
} from "@tranche/read-models/feed/position-text";
import { isSame } from "@tranche/http/server/same-origin";
import type { IndexNames } from "@tranche/shared/engines/search/index-names";
import { engineError } from "../errors/engine-error.ts";

/**
 * The positions that this service gave on plans without exports. No others are taken there, because one from before the first document is
 * as good as the start. Plans with exports may begin anywhere, so their positions have no proof.
 */
export type GivenPositions = {
  /** A position as text, with its proof. */
  write(position: ListPosition): Promise<string>;
  /** Whether a position of the current epoch was given by this service. */
  gave(position: ProvenPosition): Promise<boolean>;
};

const ID = "positions";

/** The key of the proofs is in the control index, and the same for all processes. */
export function createGivenPositions(client: Client, names: Pick<IndexNames, "control">): GivenPositions {
  let known: { epoch: string; key: string } | undefined;
  // A restore begins another epoch, and may bring another key.
  const keyOf = async (epoch: string): Promise<string> => {
    if (known?.epoch !== epoch) known = { epoch, key: await storedKey(client, names.control) };
    return known.key;
  };
  const proof = async (position: ListPosition) => proofOf(await keyOf(position.position.epoch), position);
  return {
    write: async (position) => encodePosition({ ...position, proof: await proof(position) }),
    gave: async (position) => position.proof !== undefined && isSame(position.proof, await proof(position)),
  };
}

/** The stored key. The first process that needs it makes it. */
async function storedKey(client: Client, index: string): Promise<string> {
  try {
    const document = { kind: ID, key: randomBytes(32).toString("base64url") };
    const read = () => client.get<typeof document>({ index, id: ID }, { ignore: [404] });
    const before = await read();
    if (before.found) return before._source!.key;
    await client.index({ index, id: ID, document, op_type: "create" }, { ignore: [409] });
    return (await read())._source!.key;
  } catch (error) {
    throw engineError(error);
  }
}
