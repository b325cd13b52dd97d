import { createBullBoard } from "@bull-board/api";
import { BullMQAdapter } from "@bull-board/api/bullMQAdapter";
import { KoaAdapter } from "@bull-board/koa";
import type { Queue } from "bullmq";
import type { Middleware } from "koa";

export const QUEUES_PATH = "/queues";

/** A page that shows the queues and their jobs; failed ones can be retried there. */
export function queuesPage(queues: readonly Queue[]): Middleware {
  const adapter = new KoaAdapter();
  adapter.setBasePath(QUEUES_PATH);
  createBullBoard({ queues: queues.map((queue) => new BullMQAdapter(queue)), serverAdapter: adapter });
  return adapter.registerPlugin();
}
