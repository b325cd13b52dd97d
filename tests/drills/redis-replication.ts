import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";

const WITHIN_MS = 60_000;
/** The user that replicas copy with: when it is switched off, they fall behind. */
const USER = "replica";
const PASSWORD = "copies";

/** Options of a server that copies another, or is copied. */
export const REPLICATION_OPTIONS: readonly string[] = [
  "--user",
  USER,
  "on",
  `>${PASSWORD}`,
  "+psync",
  "+replconf",
  "+ping",
  "--masteruser",
  USER,
  "--masterauth",
  PASSWORD,
];

/** What a master's replica gets of it. All but `close` wait up to a minute. */
export type Replication = {
  /** The replica has copied the master. */
  begun(): Promise<void>;
  /** From now on the replica gets nothing that the master acknowledges. */
  cut(): Promise<void>;
  /** The replica has become the master. */
  takenOver(): Promise<void>;
  close(): void;
};

/** `master`, `replica`: their ports on this machine. */
export function watchReplication(master: number, replica: number): Replication {
  const [ofMaster, ofReplica] = [connect(master), connect(replica)];
  const replicaSays = async (holds: RegExp, what: string) => {
    const end = Date.now() + WITHIN_MS;
    while (!holds.test(await ofReplica.info("replication"))) {
      if (Date.now() > end) throw new Error(`not within ${WITHIN_MS} ms: ${what}`);
      await pause(50);
    }
  };
  return {
    begun: () => replicaSays(/master_link_status:up/, "the replica copies the master"),
    async cut() {
      await ofMaster.call("ACL", "SETUSER", USER, "off");
      await ofMaster.call("CLIENT", "KILL", "USER", USER);
      await replicaSays(/master_link_status:down/, "the replica is cut off");
    },
    takenOver: () => replicaSays(/role:master/, "the replica becomes the master"),
    close() {
      for (const node of [ofMaster, ofReplica]) node.disconnect();
    },
  };
}

function connect(port: number): Redis {
  const node = new Redis(port, "127.0.0.1", { maxRetriesPerRequest: null });
  return node.on("error", () => {});
}
