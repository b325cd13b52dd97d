import type { Client } from "@elastic/elasticsearch";
import { createTiming, type Timing } from "@tranche/shared/process/timing";
import { closeQueues } from "@tranche/shared/protocol/queue/close-queues";
import { queueAccess } from "@tranche/shared/protocol/queue/access";
import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { lossReporter, type LossReporter } from "@tranche/shared/protocol/runs/redis-loss";
import { type IndexNames, indexNames } from "@tranche/shared/engines/search/index-names";
import { clockOf, type Settings } from "@tranche/shared/process/settings";
import { createTicketClock, type TicketClock, ticketKey } from "@tranche/shared/protocol/ticket/ticket-clock";
import { Queue, type Telemetry } from "bullmq";
import type { RedisClient } from "@tranche/shared/engines/redis/connect";

/** The two stores of one installation, as operators work with them. */
export type Installation = {
  settings: Settings;
  names: IndexNames;
  client: Client;
  redis: RedisClient;
  timing: Timing;
  /** The clock for signals and dates, in milliseconds. */
  now: () => number;
  queue<T>(name: string): Queue<T>;
  /** The clock of tickets and record versions. */
  tickets(): TicketClock;
  /** Reports runs whose jobs Redis lost. */
  losses: LossReporter;
  /** Closes the queues; both connections belong to the caller. */
  closeQueues(): Promise<void>;
};

/** An installation behind two open connections. `tell` gets the report of a Redis that lost its data. */
export function createInstallation(
  settings: Settings,
  {
    client,
    redis,
    tell,
    telemetry,
  }: { client: Client; redis: RedisClient; tell: (line: string) => void; telemetry?: Telemetry | undefined },
): Installation {
  const names = indexNames(settings.TRANCHE_NAMESPACE);
  const queues = new Map<string, Queue>();
  const queue = <T>(name: string): Queue<T> => {
    const open = queues.get(name);
    if (open) return open as Queue<T>;
    const opened = new Queue<T>(name, queueAccess(redis, settings.TRANCHE_NAMESPACE, telemetry));
    opened.on("error", () => {});
    queues.set(name, opened as Queue);
    return opened;
  };
  const losses = lossReporter({
    client,
    names,
    redis,
    namespace: settings.TRANCHE_NAMESPACE,
    upkeep: queue(QUEUES.upkeep),
    tell,
  });
  return {
    settings,
    names,
    client,
    redis,
    timing: createTiming(settings.TRANCHE_PAUSES),
    now: clockOf(settings),
    queue,
    tickets: () =>
      createTicketClock({
        redis,
        client,
        controlIndex: names.control,
        redisKey: ticketKey(settings.TRANCHE_NAMESPACE),
        ...losses,
      }),
    losses,
    closeQueues: () => closeQueues(queues.values()),
  };
}
