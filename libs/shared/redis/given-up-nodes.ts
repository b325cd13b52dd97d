import type { Redis } from "ioredis";

/** What a node had sent before its connection ended. It sends that again when it is ready; ioredis has no public name for it. */
type Unanswered = { prevCommandQueue?: { shift(): { command: { reject(error: Error): void } } | undefined } | null };

/**
 * Makes a node of a Cluster reject its unanswered commands when it is given up, so that the Cluster sends them to the new master. ioredis
 * (6.0) forgets them when the node is not connected at that moment, as after a failover, and whoever sent them would wait for ever.
 * `isInUse`: whether the Cluster goes on. A worker of BullMQ that disconnects its Cluster has given the commands up itself, and would
 * begin to connect while it still waits for the end.
 */
export function rejectWhenGivenUp(node: Redis, isInUse: () => boolean): void {
  const disconnect = node.disconnect.bind(node);
  node.disconnect = (reconnect = false) => {
    if (reconnect || !isInUse()) return disconnect(reconnect);
    // Between two attempts to connect there is nothing that could close. An attempt that is given up at once rejects what waits.
    if (node.status === "reconnecting") node.connect().catch(() => {});
    disconnect();
    const { prevCommandQueue } = node as unknown as Unanswered;
    for (let item = prevCommandQueue?.shift(); item; item = prevCommandQueue?.shift())
      item.command.reject(new Error("Connection is closed."));
  };
}
