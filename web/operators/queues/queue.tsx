import { useLocation, useRoute } from "preact-iso";
import { useState } from "preact/hooks";
import type { QueueView } from "../data.ts";
import { Done, Empty } from "../../ui/states.tsx";
import { counted, shownNumber } from "../parts/figures.ts";
import { LivePage } from "../parts/live-page.tsx";
import { useLive } from "../parts/use-live.ts";
import { Jobs } from "./jobs.tsx";
import { hrefOf, type JobState, type Place, placeOf, STATES } from "./place.ts";
import { FormDialog } from "../../ui/form-dialog.tsx";
import { useSend } from "../session.ts";

const DEAD_LETTERS = "dead-letters";

/** One queue: its jobs in one state, in pages. Failed ones can be retried. */
export default function Queue() {
  const queue = useRoute().params["queue"]!;
  const { state, page } = placeOf(useLocation().query);
  const live = useLive(`/queues/${encodeURIComponent(queue)}?state=${state}&page=${page}`);
  const [asked, setAsked] = useState<string[] | "all">();
  const [said, setSaid] = useState<string>();
  return (
    <div class="stack">
      <p>
        <a href="/operators/queues">All queues</a>
      </p>
      <h1 class="anywhere">{queue}</h1>
      {queue === DEAD_LETTERS && (
        <p>
          Dead letters wait for you: <a href="/operators/dead-letters">the page Dead letters</a> retries and discards
          them.
        </p>
      )}
      <Done text={said} />
      <LivePage live={live} what="the jobs">
        {({ state: counts, jobs, pages }) => (
          <>
            <States queue={queue} shown={state} counts={counts} />
            {state === "failed" && jobs.length > 0 && (
              <div class="head">
                <p>The newest come first. They stay until they are retried or discarded as dead letters.</p>
                <button type="button" class="button" onClick={() => setAsked("all")}>
                  Retry all
                </button>
              </div>
            )}
            {jobs.length === 0 ? (
              <Empty title={page > 1 ? "This page is empty" : `No job is ${state}`}>
                {page > 1 && (
                  <p>
                    <a href={hrefOf(queue, { state, page: 1 })}>Go to the first page</a>
                  </p>
                )}
              </Empty>
            ) : (
              <Jobs state={state} jobs={jobs} retry={state === "failed" ? (id) => setAsked([id]) : undefined} />
            )}
            <Pager queue={queue} place={{ state, page }} pages={pages} />
          </>
        )}
      </LivePage>
      {asked && (
        <Retry
          queue={queue}
          ids={asked}
          close={() => setAsked(undefined)}
          done={(retried) => {
            setAsked(undefined);
            setSaid(`Requeued ${counted(retried, "job")}.`);
            live.reload();
          }}
        />
      )}
    </div>
  );
}

function States({ queue, shown, counts }: { queue: string; shown: JobState; counts: QueueView["state"] }) {
  return (
    <nav aria-label="States" class="states">
      {STATES.map((state) => (
        <a key={state} href={hrefOf(queue, { state, page: 1 })} aria-current={state === shown ? "page" : undefined}>
          {state} <span class="muted">{shownNumber(counts[state])}</span>
        </a>
      ))}
    </nav>
  );
}

/** Leads to the pages before and after. */
function Pager({ queue, place, pages }: { queue: string; place: Place; pages: number }) {
  const { page } = place;
  if (pages < 2) return null;
  return (
    <nav aria-label="Pages of jobs" class="row">
      {page > 1 && <a href={hrefOf(queue, { ...place, page: page - 1 })}>Previous</a>}
      <span class="muted">
        Page {shownNumber(page)} of {shownNumber(pages)}
      </span>
      {page < pages && <a href={hrefOf(queue, { ...place, page: page + 1 })}>Next</a>}
    </nav>
  );
}

/** Asks before failed jobs are retried, and does it. */
function Retry({
  queue,
  ids,
  close,
  done,
}: {
  queue: string;
  ids: string[] | "all";
  close: () => void;
  done: (retried: number) => void;
}) {
  const send = useSend();
  const run = async () => {
    const counts = await send("POST", `/queues/${encodeURIComponent(queue)}/retry`, { ids });
    done(counts.done);
  };
  const which = ids === "all" ? "all failed jobs" : "this job";
  return (
    <FormDialog title={`Retry ${which} of ${queue}?`} action="Retry" run={run} close={close}>
      <p>An indexer tries again. Jobs that fail again come back.</p>
      {ids !== "all" && <p class="mono">{ids.join(" ")}</p>}
    </FormDialog>
  );
}
