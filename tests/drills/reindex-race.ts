import { QUEUES } from "@tranche/shared/protocol/queue/queues";
import { createRebuildStore, isRunning, type Rebuild } from "@tranche/shared/protocol/rebuild/state";
import type { Drill } from "./drill.ts";
import { judge, until, withInstallation } from "./installation.ts";
import { firstRecords } from "./workload.ts";

export const reindexRace: Drill = {
  name: "reindex-race",
  about: "many rebuilds requested at once: one runs, the others report which",
  run: (context) =>
    withInstallation(context, {}, async (installation) => {
      const { random, say, size } = context;
      const { records, asked } = size === "full" ? { records: 50_000, asked: 20 } : { records: 4000, asked: 5 };
      const { queues, client, names, service } = installation;
      const writes = firstRecords(random, records);
      await queues.send(writes);
      await queues.settled(300_000);
      // Nobody works on it until all have asked, however long the last of them takes to start.
      await installation.killIndexer();
      const answers = await Promise.all(Array.from({ length: asked }, () => service.spawnOps(["reindex", "--json"])));
      const started = answers.flatMap(({ code, stdout }) => (code === 0 ? [(JSON.parse(stdout) as Rebuild).id] : []));
      const told = answers.flatMap(({ code, stdout }) =>
        code === 1 ? [(JSON.parse(stdout) as { running?: Rebuild }).running?.id] : [],
      );
      say(`${started.length} started, ${told.length} were refused`);

      // Two indexers, and its job three times in the queue: still one rebuild.
      await Promise.all([installation.startIndexer(), service.startIndexer()]);
      for (let n = 0; n < 2; n++) await queues.queue(QUEUES.rebuild).add("rebuild", undefined);
      const store = createRebuildStore(client, names);
      await until("the rebuild ends", 300_000, async () => !isRunning((await store.read())!.rebuild));
      const ended = (await store.read())!.rebuild;
      const { checks, figures } = await judge(context, installation, writes, { withinMs: 300_000 });
      return {
        checks: {
          ...checks,
          "one runs": started.length === 1 && ended.id === started[0] && ended.state === "swapped",
          "the others report which": told.length === asked - 1 && told.every((id) => id === started[0]),
        },
        figures: { asked, started: started.length, told: told.length, state: ended.state, ...figures },
      };
    }),
};
