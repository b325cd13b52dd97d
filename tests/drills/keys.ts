import type { Installation } from "./installation.ts";
import { ops } from "./operators.ts";

export type Keys = { works: string; revoked: string };

/** Makes an account with a key that works and one that is revoked. */
export async function makeKeys(installation: Installation): Promise<Keys> {
  const { id, key } = await ops<{ id: string; key: string }>(
    installation,
    "accounts",
    "create",
    "--name",
    "Drill",
    "--plan",
    "scale",
  );
  const other = await ops<{ key_id: string; key: string }>(installation, "keys", "create", "--account", id);
  await ops(installation, "keys", "revoke", other.key_id);
  return { works: key, revoked: other.key };
}

/** Of a request with a key. */
export async function statusWith(base: string, key: string): Promise<number> {
  const { status } = await fetch(`${base}/funding?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  return status;
}
