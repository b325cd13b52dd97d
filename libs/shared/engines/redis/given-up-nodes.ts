import type { Redis } from "ioredis";

/** The commands that a node had sent before its connection ended. It sends them again when it is ready; ioredis has no public name for it. */
type Unanswered = { prevCommandQueue?: { shift(): { command: { reject(error: Error): void } } | undefined } | null };

/**
 * Makes a node of a Cluster that is given up end, and reject its commands then. ioredis (6.0) does neither when the node is between two
 * attempts to connect, as after a failover: a command would wait for ever, and so would a call that disconnects the Cluster.
 */
export function endWhenGivenUp(node: Redis): void {
  const disconnect = node.disconnect.bind(node);
  node.disconnect = (reconnect = false) => {
    const isBetweenAttempts = node.status === "reconnecting";
    disconnect(reconnect);
    if (reconnect || !isBetweenAttempts) return;
    // In a turn of its own: the end is heard before the commands are rejected. BullMQ would otherwise connect again before it hears the end.
    setImmediate(() => {
      // ioredis closes a node by its connection. This one has none, so it is closed like one that never connected.
      node.status = "wait";
      disconnect();
    });
  };
  node.once("end", () => {
    const { prevCommandQueue } = node as unknown as Unanswered;
    for (let item = prevCommandQueue?.shift(); item; item = prevCommandQueue?.shift())
      item.command.reject(new Error("Connection is closed."));
  });
}
