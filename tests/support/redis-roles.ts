import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { projectFolder } from "../../tools/local-engines/data-folder.ts";

const FILE = join(projectFolder(), "infra/roles/redis.acl");
const NAMESPACE = "tranche";

export const PROCESSES = ["api", "indexer", "operators", "dashboard", "ops"] as const;
export type Process = (typeof PROCESSES)[number];

/** The users of `infra/roles/redis.acl`, for another namespace, on a Redis that others use too. */
export type RedisRoles = {
  /** The address with the user of a process. */
  of(process: Process): string;
  /** What Redis refused since the start, by user and command or key. */
  refused(): Promise<string[]>;
  close(): Promise<void>;
};

/** `address`: as REDIS_URL takes it. `servers`: the addresses of all servers behind it, each of which needs the users. */
export async function createRedisRoles(
  namespace: string,
  address: string,
  servers: readonly string[] = [address],
): Promise<RedisRoles> {
  const password = randomBytes(12).toString("hex");
  const users = usersOf(namespace, password);
  const clients = servers.map((url) => new Redis(url));
  for (const client of clients) for (const [user, rules] of users) await client.call("ACL", "SETUSER", user, ...rules);
  return {
    of: (name) => address.replace("://", `://${namespace}-${name}:${password}@`),
    async refused() {
      const entries = await Promise.all(clients.map((client) => client.call("ACL", "LOG") as Promise<unknown[][]>));
      const texts = entries.flat().map((entry) => JSON.stringify(entry));
      return texts.filter((text) => text.includes(`"${namespace}-`));
    },
    async close() {
      for (const client of clients) {
        for (const [user] of users) await client.call("ACL", "DELUSER", user);
        client.disconnect();
      }
    },
  };
}

/** All but the default one, which the other tests use. */
function usersOf(namespace: string, password: string): [user: string, rules: string[]][] {
  const lines = readFileSync(FILE, "utf8").split("\n");
  return lines
    .filter((line) => line.startsWith(`user ${NAMESPACE}-`))
    .map((line) => {
      const [, user, ...rules] = line.replaceAll(NAMESPACE, namespace).replace("replace-me", password).split(" ");
      return [user!, rules];
    });
}
