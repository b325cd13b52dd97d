import type { InTime } from "./in-time.ts";
import type { Outage } from "./outage.ts";
import type { AtTurnsEnd } from "./turn.ts";

/** How everything on a request's way asks Redis: over one connection, within a time limit, and not at all while Redis is away. */
export type RedisGateway = { outage: Outage; inTime: InTime; atTurnsEnd: AtTurnsEnd };
