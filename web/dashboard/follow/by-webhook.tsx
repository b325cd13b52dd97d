import type { FollowView } from "../data.ts";

/** The way to a webhook with the filters of a saved search: `query`. */
export function ByWebhook({ search, query }: { search: FollowView["search"]; query: string }) {
  if (search.list !== "funding" && search.list !== "signals") return null;
  const prefilled = new URLSearchParams({ create: "", name: search.name, list: search.list, query });
  return (
    <section class="stack" aria-labelledby="by-webhook">
      <div class="row between">
        <h2 id="by-webhook">By webhook</h2>
        <a class="button" href={`/dashboard/webhooks?${prefilled}`}>
          Create a webhook
        </a>
      </div>
      <p class="measure">
        Every change is sent to a program of yours, signed, and nothing is missed. The webhook has a copy of these
        filters: it does not follow the search when its filters change.
      </p>
    </section>
  );
}
